// Runs that change their seed in the middle: the same up to there and others beyond, and the same
// whether a process forks there or the path is replayed.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

const std::string kScenario = "scenarios/rare_losses.toml";

scenarios::Config config_of(const std::vector<std::string>& overrides = {}) {
  const scenarios::LoadResult loaded = scenarios::load(kScenario, overrides);
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  return loaded.config();
}

scenarios::RunOutcome outcome_of(const scenarios::RunRequest& request) {
  auto finished = scenarios::run_scenario(request);
  REQUIRE(finished);
  return std::move(finished).assume_value();
}

scenarios::RunOutcome watched(const scenarios::Config& config, std::uint64_t last) {
  scenarios::RunRequest request{&config, 5, nullptr, nullptr};
  request.watched = scenarios::WatchedRange{1, last};
  return outcome_of(request);
}

// The run to its end, branched with `seed` in a forked process at this level of a joiner's window.
std::string fingerprint_of_fork(const scenarios::Config& config, std::uint64_t level,
                                std::uint64_t seed, std::uint64_t& event) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  pid_t child = -1;
  scenarios::RunRequest request{&config, 5, nullptr, nullptr};
  request.stop_at =
      scenarios::StopAtLevel{level, [&](std::uint64_t at) -> std::optional<std::uint64_t> {
                               event = at;
                               child = ::fork();
                               return child == 0 ? std::optional(seed) : std::nullopt;
                             }};
  const scenarios::RunOutcome outcome = outcome_of(request);
  if (child == 0) {
    const std::string text = outcome.is_complete() ? outcome.summary.fingerprint : "incomplete";
    const bool written =
        ::write(pipe[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 1);
  }
  REQUIRE(child > 0);
  REQUIRE(outcome.entrance == event);
  ::close(pipe[1]);
  std::array<char, 64> text{};
  const ssize_t size = ::read(pipe[0], text.data(), text.size());
  ::close(pipe[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  REQUIRE(size > 0);
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

TEST_CASE("lineage: a run is the same up to the event of a change, and another beyond it") {
  constexpr std::uint64_t kEvent = 2'000;
  const scenarios::RunOutcome plain = watched(config_of(), kEvent + 3'000);
  const scenarios::RunOutcome changed =
      watched(config_of({"rare.lineage=[{event=2000,seed=77}]"}), kEvent + 3'000);
  REQUIRE(plain.watched.size() == changed.watched.size());
  std::size_t first = 0;
  while (first < plain.watched.size() && plain.watched[first].text == changed.watched[first].text) {
    ++first;
  }
  CHECK(first >= kEvent);
  CHECK(first < kEvent + 100);  // messages that are sent after it take other times
  CHECK(plain.summary.fingerprint != changed.summary.fingerprint);
  CHECK(plain.summary.generated != changed.summary.generated);  // arrivals are drawn anew too
  CHECK(changed.safety_violations + changed.liveness_violations == 0);
}

TEST_CASE(
    "lineage: a change at the end of a run changes nothing, and the seed of a change counts") {
  const Ran plain = run(kScenario, 5);
  const Ran late = run(kScenario, 5, {"rare.lineage=[{event=1000000,seed=77}]"});
  CHECK(plain.outcome.summary.fingerprint == late.outcome.summary.fingerprint);
  const Ran one = run(kScenario, 5, {"rare.lineage=[{event=2000,seed=77}]"});
  const Ran same = run(kScenario, 5, {"rare.lineage=[{event=2000,seed=77}]"});
  const Ran other = run(kScenario, 5, {"rare.lineage=[{event=2000,seed=78}]"});
  CHECK(one.outcome.summary.fingerprint == same.outcome.summary.fingerprint);
  CHECK(one.outcome.summary.fingerprint != other.outcome.summary.fingerprint);
}

TEST_CASE("lineage: a forked branch and its replay are one run") {
  for (const std::uint64_t level : {4, 6}) {
    std::uint64_t event = 0;
    const std::string forked = fingerprint_of_fork(config_of(), level, 4242, event);
    scenarios::Config replayed = config_of();
    replayed.rare.lineage = {{event, 4242}};
    const scenarios::RunOutcome again = outcome_of({&replayed, 5, nullptr, nullptr});
    CHECK(forked == again.summary.fingerprint);
    // And a branch of the branch.
    std::uint64_t second = 0;
    const std::string twice = fingerprint_of_fork(replayed, level + 5, 17, second);
    REQUIRE(second > event);
    replayed.rare.lineage.push_back({second, 17});
    CHECK(twice == outcome_of({&replayed, 5, nullptr, nullptr}).summary.fingerprint);
  }
}

TEST_CASE("lineage: steps that do not come one after the other are refused") {
  const scenarios::LoadResult loaded = scenarios::load(
      kScenario, std::vector<std::string>{"rare.lineage=[{event=20,seed=1},{event=20,seed=2}]"});
  REQUIRE_FALSE(loaded);
  CHECK(scenarios::format(loaded.diagnostics()).find("does not come after") != std::string::npos);
}

}  // namespace photonsim::tests
