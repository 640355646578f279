// `photonsim db verify`, above all after kill -9.
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "analysis/results/result_store.h"
#include "core_impl/base/random.h"
#include "tests/analysis/results_file.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

using photon::analysis::ResultStore;
using photon::analysis::RunDetails;

constexpr std::size_t kKey = 16;  // letters

RunDetails run_numbered(std::uint64_t seed) {
  photon::analysis::Summary summary;
  summary.scenario = "killed";
  summary.seed = seed;
  summary.fingerprint = "0123456789abcdef";
  RunDetails run =
      photon::analysis::testing::details_of(summary, "[scenario]\nname = \"killed\"\n", "v1");
  for (int i = 0; i < 100; ++i) run.checkpoints.push_back({i, 10, "aa"});
  run.manifest = {{"compiler", std::string(3000, 'x')}};  // more than a page
  return run;
}

// Saves runs until it is killed, and prints the key of each one after saving it.
[[noreturn]] void save_for_ever(const std::string& file, std::uint64_t first, int out) {
  auto store = ResultStore::open(file);
  if (!store) ::_exit(1);
  for (std::uint64_t seed = first;; ++seed) {
    const RunDetails run = run_numbered(seed);
    if (!store.value().save(run)) ::_exit(1);
    const std::string key = run.key();
    if (::write(out, key.data(), key.size()) != static_cast<ssize_t>(key.size())) ::_exit(1);
  }
}

// The keys that a child printed before it was killed, `after` it had printed the first one.
std::vector<std::string> keys_of_killed(const std::string& file, std::uint64_t first,
                                        std::chrono::microseconds after) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(pipe[0]);
    save_for_ever(file, first, pipe[1]);
  }
  ::close(pipe[1]);
  std::string said(kKey, '\0');
  std::size_t length = static_cast<std::size_t>(::read(pipe[0], said.data(), kKey));
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  for (ssize_t more = 1; more > 0; length += static_cast<std::size_t>(std::max<ssize_t>(more, 0))) {
    said.resize(length + 4096);
    more = ::read(pipe[0], said.data() + length, 4096);
  }
  ::close(pipe[0]);
  std::vector<std::string> keys;
  for (std::size_t at = 0; at + kKey <= length; at += kKey) keys.push_back(said.substr(at, kKey));
  return keys;
}

}  // namespace

TEST_CASE(
    "DESIGN-7 db verify: after kill -9 at any moment the file is whole, no saved run is lost") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const photon::RandomStream moments(5, photon::Purpose::test, 1);
  std::vector<std::string> keys;
  for (std::uint64_t round = 0; round < 20; ++round) {
    CAPTURE(round);
    const auto after =
        std::chrono::microseconds(photon::uniform_below(moments.word(round), 20'000));
    const auto saved = keys_of_killed(file, round * 1'000'000, after);
    REQUIRE_FALSE(saved.empty());
    keys.insert(keys.end(), saved.begin(), saved.end());
    const Ran verified = run_program({"db", "verify", file});
    CAPTURE(verified.err);
    REQUIRE(verified.code == 0);
    CHECK_THAT(verified.out, Catch::Contains(": whole: "));
  }
  std::set<std::string> stored;
  for (const auto& run : photon::analysis::testing::exported_runs(file)) stored.insert(run.key);
  for (const std::string& key : keys) CHECK(stored.contains(key));
  // The last run of each child may be stored although its key was not printed.
  CHECK(stored.size() <= keys.size() + 20);
}

TEST_CASE(
    "DESIGN-7 db verify: what run --out has written is whole; damage ends with 8, typing errors "
    "with 2") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  REQUIRE(run_program(short_run({"--out", file})).code == 0);
  const Ran whole = run_program({"db", "verify", file});
  CHECK(whole.code == 0);
  CHECK(whole.err.empty());
  CHECK_THAT(whole.out, Catch::StartsWith(file + ": whole: 1 run of 1 scenario, "));
  std::string bytes = text_of(file);
  const std::size_t place = bytes.find("latency_seconds.p99");
  REQUIRE(place != std::string::npos);
  bytes[place + 1] = 'b';
  folder.write("results.db", bytes);
  const Ran damaged = run_program({"db", "verify", file});
  CHECK(damaged.code == 8);
  CHECK(damaged.out.empty());
  CHECK_THAT(damaged.err, Catch::Contains(file + ": ") && Catch::Contains("damaged"));
  // The export reports the same.
  const std::string csv = folder.file("out.csv");
  CHECK(run_program({"export", file, csv}).code == 8);
  CHECK_FALSE(std::filesystem::exists(csv));
  // A study was taken out, and what belongs to it left behind.
  const std::string orphans = folder.file("orphans.db");
  REQUIRE(run_program(short_run({"--out", orphans})).code == 0);
  CHECK(photon::analysis::testing::query(orphans, "SELECT cpu_microseconds FROM run") > 0);
  photon::analysis::testing::change(orphans, "DELETE FROM study");
  CHECK(run_program({"db", "verify", orphans}).code == 8);
  const Ran left_out = run_program({"export", orphans, csv});
  CHECK(left_out.code == 8);
  CHECK_THAT(left_out.err, Catch::Contains("a row belongs to a study that is not there"));
  CHECK_FALSE(std::filesystem::exists(csv));
  CHECK_THAT(run_program({"export", folder.path().string(), csv}).err,
             Catch::Contains("it is a directory"));
  // Its end is missing.
  for (const std::size_t left : {bytes.size() / 2, bytes.size() - 4096}) {
    CAPTURE(left);
    folder.write("results.db", bytes.substr(0, left));
    const Ran cut = run_program({"db", "verify", file});
    CHECK(cut.code == 8);
    CHECK_THAT(cut.err, Catch::Contains(file + ": ") && Catch::Contains("damaged"));
  }
  CHECK(run_program({"db", "verify", folder.file("none.db")}).code == 2);
  CHECK(run_program({"db"}).code == 2);
}

}  // namespace photonsim::cli::testing
