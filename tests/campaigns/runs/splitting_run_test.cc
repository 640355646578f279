// Splittings of a real scenario: their paths can be replayed, differ from each other, and reach a
// level as often as plain runs do.
#include "campaigns/runs/splitting_run.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/rare_events/replications.h"
#include "analysis/statistics/moments.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/run_spec.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

scenarios::Config config_of(const std::string& levels, std::uint64_t effort, std::uint64_t seed) {
  const scenarios::LoadResult loaded = scenarios::load(
      "scenarios/rare_losses.toml",
      std::vector<std::string>{"rare.level=" + levels, "rare.effort=" + std::to_string(effort)});
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  scenarios::Config config = loaded.config();
  config.run.seed = seed;
  return config;
}

}  // namespace

TEST_CASE("splitting: a path to the last level is replayed from its lineage alone") {
  const scenarios::Config config = config_of("[{at=12},{at=16},{at=20}]", 8, 3);
  const SplittingRun done = run_splitting(config);
  REQUIRE(done.is_complete());
  REQUIRE(done.top);
  REQUIRE(done.top->lineage.size() <= 2);
  const scenarios::Config path = branch_of(config, *done.top, std::nullopt);
  scenarios::RunRequest request{&path, path.run.seed, nullptr, nullptr};
  request.stop_at = scenarios::StopAtLevel{20};
  const auto again = scenarios::run_scenario(request);
  REQUIRE(again);
  CHECK(again.assume_value().entrance == done.top->event);
  CHECK(again.assume_value().importance >= 20);
  // The same as overrides.
  const std::vector<std::string> overrides = overrides_of(*done.top);
  const scenarios::LoadResult loaded = scenarios::load("scenarios/rare_losses.toml", overrides);
  REQUIRE(loaded);
  CHECK(loaded.config().rare.lineage == done.top->lineage);
  // And the whole splitting.
  const SplittingRun repeated = run_splitting(config);
  CHECK(repeated.splitting.probability == done.splitting.probability);
  CHECK(repeated.events == done.events);
}

TEST_CASE("splitting: the trials of a stage are different paths") {
  const SplittingRun done = run_splitting(config_of("[{at=20},{at=23}]", 32, 2));
  REQUIRE(done.is_complete());
  REQUIRE(done.splitting.stages.size() == 2);
  for (const analysis::SplittingStage& stage : done.splitting.stages) {
    CHECK(stage.reached > 0);
    CHECK(stage.reached < stage.trials);
  }
  CHECK(done.replayed > 0);
  CHECK(done.replayed < done.events);
}

TEST_CASE("splitting: a path that fails ends it, with the reason and the command that replays it") {
  RunSpec spec;
  spec.config = config_of("[{at=8},{at=1000}]", 8, 3);
  spec.config.run.most_events = 5'000;  // fewer than a whole run takes
  spec.scenario = "scenarios/rare_losses.toml";
  const RunResult result = run_one(spec, {});
  CHECK(result.record.end == analysis::RunEnd::over_events);
  CHECK(result.record.exit_code == kEnvironment);
  CHECK_THAT(result.record.what, Catch::Contains("run.most_events"));
  CHECK_THAT(result.record.replay, Catch::Contains("rare.lineage=[{event="));
  CHECK_FALSE(result.record.metric("rare.probability"));
}

TEST_CASE("splitting: an input that cannot be read refuses it") {
  const scenarios::LoadResult loaded = scenarios::load(
      "scenarios/trace.toml",
      std::vector<std::string>{"workload.foreign.file=LICENSE", "rare.level=[{at=3}]"});
  REQUIRE(loaded);
  RunSpec spec;
  spec.config = loaded.config();
  const RunResult result = run_one(spec, {});
  CHECK(result.refused);
  CHECK(result.record.exit_code == kUsage);
  CHECK_THAT(result.record.what, Catch::Contains("LICENSE"));
}

TEST_CASE("splitting: its determinism check compares every path") {
  RunSpec spec;
  spec.config = config_of("[{at=12},{at=16}]", 4, 3);
  const RunResult first = run_one(spec, {.seen = true});
  const RunResult again = run_one(spec, {.seen = true});
  REQUIRE((first.seen && again.seen));
  CHECK(std::ranges::count(first.seen->summary, '\n') == 8);
  CHECK(first.seen->summary == again.seen->summary);
  spec.config.run.seed = 4;
  CHECK(run_one(spec, {.seen = true}).seen->summary != first.seen->summary);
}

TEST_CASE("splitting: branches of one path differ beyond its level") {
  const scenarios::Config config = config_of("[{at=12},{at=1000}]", 2, 4);
  const auto follow = [&](std::uint64_t level, const scenarios::Config& path) {
    scenarios::RunRequest request{&path, path.run.seed, nullptr, nullptr};
    request.stop_at = scenarios::StopAtLevel{level};
    auto finished = scenarios::run_scenario(request);
    REQUIRE(finished);
    return std::move(finished).assume_value();
  };
  const auto entrance = follow(12, config).entrance;
  REQUIRE(entrance);
  const PathState from{config.run.seed, {}, *entrance};
  const auto one = follow(1000, branch_of(config, from, 1));
  const auto two = follow(1000, branch_of(config, from, 2));
  CHECK(one.summary.fingerprint != two.summary.fingerprint);
}

TEST_CASE("splitting: a level is reached as often as by brute force", "[sweep]") {
  constexpr std::uint64_t kPlain = 500, kLevel = 22;
  // Runs that go on to their end, whatever they reach.
  double reached = 0;
  for (std::uint64_t seed = 1; seed <= kPlain; ++seed) {
    const scenarios::Config config = config_of("[{at=1000}]", 2, seed);
    const auto run = scenarios::run_scenario({&config, seed, nullptr, nullptr});
    REQUIRE(run);
    reached += run.assume_value().importance >= kLevel ? 1 : 0;
  }
  std::vector<double> estimates;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const SplittingRun done = run_splitting(config_of("[{at=19},{at=22}]", 24, seed));
    REQUIRE(done.is_complete());
    estimates.push_back(done.splitting.probability);
  }
  const double p = reached / kPlain;
  const analysis::Estimate split = analysis::positive_mean(estimates);
  analysis::Moments moments;
  for (const double each : estimates) moments.add(each);
  const double error = std::sqrt(p * (1 - p) / kPlain + moments.variance() / 16);
  CAPTURE(p, split.value, split.interval->low, split.interval->high, error);
  CHECK(p > 0.02);
  CHECK(std::abs(p - split.value) < 3 * error);
}

}  // namespace photonsim::campaigns
