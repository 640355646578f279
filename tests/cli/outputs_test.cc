// Which files a run leaves behind: all of its results, or none that look complete.
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Names = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

void refused_as_one(const Folder& folder, const std::string& out, const std::string& trace) {
  CAPTURE(out, trace);
  const Names before = folder.names();
  const Ran ran = run_program(short_run({"--out", out, "--trace", trace}));
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, Contains("--out") && Contains("--trace") && Contains("same file"));
  CHECK(folder.names() == before);
}

// Takes seconds: other programs can act meanwhile.
Arguments long_run(const Arguments& more) {
  const std::string clicks = std::to_string(photon::testing::effort(102'000));
  Arguments arguments{"run", "scenarios/quickstart.toml", "--set",
                      "workload.synthetic.clicks=" + clicks};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Arguments run_of_hours(const std::string& results, const std::string& trace) {
  return {"run",     "scenarios/healthy.toml",
          "--set",   "run.duration=20000s",
          "--set",   "workload.synthetic.clicks=2000000",
          "--out",   results,
          "--trace", trace};
}

// The file in which `name` is written until it is whole; empty if there is none.
std::string draft_in(const Folder& folder, const std::string& name) {
  for (const std::string& each : folder.names()) {
    if (each.starts_with(name + ".part-")) return folder.file(each);
  }
  return {};
}

void wait_until_it_writes(const Folder& folder) {
  std::error_code error;
  for (int i = 0; i < 3000; ++i) {  // at most 30 s
    const std::string draft = draft_in(folder, "x.trace");
    if (!draft.empty() && fs::file_size(draft, error) > 1'000'000 && !error) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// A run of hours, interrupted once it has begun to write.
Ran interrupted(const Folder& folder, const std::string& results, const std::string& trace,
                int signal = SIGINT) {
  RunningProgram program(run_of_hours(results, trace));
  wait_until_it_writes(folder);
  program.signal(signal);
  return program.wait();
}

// How many runs a results file holds.
std::ptrdiff_t runs_in(const Folder& folder, const std::string& results) {
  const std::string csv = folder.file("runs.csv");
  CHECK(run_program({"export", results, csv}).code == 0);
  const std::string text = text_of(csv);
  fs::remove(csv);
  std::ptrdiff_t count = 0;
  for (std::size_t at = 0; (at = text.find(",joined,", at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

TEST_CASE("results and trace of a run are complete files of their own") {
  const Folder folder;
  CHECK(run_program(short_run({"--out", folder.file("r.db"), "--trace", folder.file("t")})).code ==
        0);
  CHECK(folder.names() == Names{"r.db", "t"});
}

TEST_CASE("--out and --trace must be two files") {
  const Folder folder;
  refused_as_one(folder, folder.file("x"), folder.file("x"));
  refused_as_one(folder, folder.file("x"), folder.file("./x"));
  refused_as_one(folder, folder.file("x-wal"), folder.file("x-wal"));
  refused_as_one(folder, folder.file("x"), folder.file("x-wal"));  // the store's own
  fs::create_symlink("x", folder.file("link"));                    // leads nowhere yet
  refused_as_one(folder, folder.file("x"), folder.file("link"));
  refused_as_one(folder, folder.file("link"), folder.file("x"));
  folder.write("x", "");
  refused_as_one(folder, folder.file("link"), folder.file("x"));
  fs::create_hard_link(folder.file("x"), folder.file("hard"));
  refused_as_one(folder, folder.file("x"), folder.file("hard"));
}

TEST_CASE("a run does not overwrite its input") {
  const Folder folder;
  const std::string text = "[run]\nduration = \"20s\"\nwarm_up = \"2s\"\n";
  const std::string scenario = folder.write("s.toml", text);
  const std::string clicks = folder.write("clicks.csv", "click_id,query_id,t_ms\nc,,1\n");
  for (const char* option : {"--out", "--trace"}) {
    const Ran ran = run_program({"run", scenario, option, scenario});
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, Contains(option) && Contains("the run reads this file"));
    const Ran log = run_program({"run", "scenarios/trace.toml", "--set",
                                 "workload.foreign.file=" + clicks, option, clicks});
    CHECK(log.code == 2);
    CHECK_THAT(log.err, Contains(option) && Contains("the run reads this file"));
  }
  CHECK(text_of(scenario) == text);
  CHECK(folder.names() == Names{"clicks.csv", "s.toml"});
}

TEST_CASE("a run that does not start leaves no file") {
  const Folder folder;
  const std::string clicks = folder.write("clicks.csv", "click_id,query_id,t_ms\nc,,noon\n");
  const Ran ran =
      run_program({"run", "scenarios/trace.toml", "--set", "workload.foreign.file=" + clicks,
                   "--out", folder.file("r.db"), "--trace", folder.file("t")});
  CHECK(ran.code == 2);
  CHECK(folder.names() == Names{"clicks.csv"});
  CHECK(run_program(short_run({"--out", folder.file("r.db"), "--trace", "/dev/full"})).code == 8);
  CHECK(folder.names() == Names{"clicks.csv"});
}

TEST_CASE("Ctrl-C, kill, hang-up: exit code 128 + signal, nothing that looks complete") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Folder folder;
    const Ran ran = interrupted(folder, folder.file("r.db"), folder.file("x.trace"), signal);
    INFO(ran.err);
    CHECK(ran.code == 128 + signal);  // 130, 143, 129
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Contains("interrupted"));
    CHECK(folder.names().empty());
  }
}

TEST_CASE("Ctrl-C leaves the results and the trace of earlier runs as they were") {
  const Folder folder;
  const std::string results = folder.file("r.db");
  const std::string trace = folder.file("x.trace");
  REQUIRE(run_program(short_run({"--out", results, "--trace", trace})).code == 0);
  const std::string before = text_of(trace);
  CHECK(interrupted(folder, results, trace).code == 130);
  CHECK(folder.names() == Names{"r.db", "x.trace"});
  CHECK(text_of(trace) == before);
  CHECK(run_program({"export", results, folder.file("r.csv")}).code == 0);
  CHECK_THAT(text_of(folder.file("r.csv")), Contains(",healthy,1,joined,"));
}

TEST_CASE("a failing run does not delete what another program saved meanwhile") {
  const Folder folder;
  const std::string results = folder.file("r.db");
  RunningProgram first(run_of_hours(results, folder.file("x.trace")));
  wait_until_it_writes(folder);  // so it has prepared its results file, too
  REQUIRE_FALSE(fs::exists(results));
  CHECK(run_program(short_run({"--out", results})).code == 0);
  first.signal(SIGINT);
  CHECK(first.wait().code == 130);
  CHECK(folder.names() == Names{"r.db"});
  CHECK(runs_in(folder, results) == 1);
}

TEST_CASE("two runs that write one trace: each ends with a whole one", "[sweep]") {
  const Folder folder;
  const std::string trace = folder.file("x.trace");
  folder.write("x.trace.part", "a user's own");
  RunningProgram slow(long_run({"--trace", trace}));
  wait_until_it_writes(folder);
  CHECK(run_program(short_run({"--trace", trace})).code == 0);
  REQUIRE(draft_in(folder, "x.trace") != "");  // otherwise the slow one was not slow enough
  CHECK(run_program({"judge", trace}).code == 0);
  CHECK(slow.wait().code == 0);
  CHECK(run_program({"judge", trace}).code == 0);
  CHECK(folder.names() == Names{"x.trace", "x.trace.part"});
  CHECK(text_of(folder.file("x.trace.part")) == "a user's own");
}

TEST_CASE("a results file that another program creates meanwhile holds both runs", "[sweep]") {
  const Folder folder;
  const std::string results = folder.file("r.db");
  RunningProgram slow(long_run({"--out", results, "--trace", folder.file("x.trace")}));
  wait_until_it_writes(folder);
  CHECK(run_program(short_run({"--out", results})).code == 0);
  REQUIRE(draft_in(folder, "x.trace") != "");  // otherwise the slow one was not slow enough
  const Ran ran = slow.wait();
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(folder.names() == Names{"r.db", "x.trace"});
  CHECK(runs_in(folder, results) == 2);
}

}  // namespace photonsim::cli::testing
