#include "campaigns/runs/splitting_run.h"

#include <fmt/format.h>

#include "analysis/rare_events/purposes.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"
#include "core_impl/base/random.h"
#include "scenarios/world/runner.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using scenarios::Config;
using scenarios::LineageStep;

// Seeds of scenarios are written as plain integers.
constexpr unsigned kSeedShift = 2;

// A path stops where it reaches its level: what is due by the end of a run is not judged.
bool fails(const scenarios::RunOutcome& outcome) {
  if (outcome.failed_check || !outcome.over_limit.empty()) return true;
  return outcome.safety_violations > 0 && verdict_of(outcome) == kSafetyViolation;
}

class PathRunner {
 public:
  PathRunner(const Config& config, SplittingRun& result) : config_(config), result_(result) {}

  std::optional<PathState> begin(std::uint64_t trial) {
    return follow({.seed = seed_of(0, trial)}, std::nullopt, 0);
  }
  std::optional<PathState> go_on(const PathState& from, std::uint64_t stage, std::uint64_t trial) {
    return follow(from, seed_of(stage, trial), stage);
  }

 private:
  std::uint64_t seed_of(std::uint64_t stage, std::uint64_t trial) const {
    const photon::RandomStream seeds(config_.run.seed, analysis::purpose::kSplittingSeeds,
                                     static_cast<std::uint32_t>(stage));
    return seeds.word(trial) >> kSeedShift;
  }

  std::optional<PathState> follow(const PathState& from, std::optional<std::uint64_t> fresh,
                                  std::uint64_t stage) {
    if (!result_.is_complete()) return std::nullopt;
    const Config path = branch_of(config_, from, fresh);
    scenarios::RunRequest request{&path, path.run.seed, nullptr, nullptr};
    request.stop_at = scenarios::StopAtLevel{config_.rare.levels[stage].at};
    const auto finished = scenarios::run_scenario(request);
    if (!finished) {
      result_.refused = finished.assume_error();
      return std::nullopt;
    }
    const scenarios::RunOutcome& outcome = finished.assume_value();
    result_.events += outcome.summary.events;
    result_.replayed += from.event;
    result_.paths += fmt::format("{} {}\n", outcome.summary.events, outcome.summary.fingerprint);
    if (fails(outcome)) {
      FailedPath& failed = result_.failed.emplace();
      failed.path.seed = path.run.seed;
      failed.path.lineage = path.rare.lineage;
      failed.record = record_of(outcome);
      return std::nullopt;
    }
    if (!outcome.entrance) return std::nullopt;
    PathState reached{from.seed, path.rare.lineage, *outcome.entrance};
    // A path that reached two levels with one event draws anew after it once.
    while (!reached.lineage.empty() && reached.lineage.back().event >= reached.event) {
      reached.lineage.pop_back();
    }
    return reached;
  }

  const Config& config_;
  SplittingRun& result_;
};

}  // namespace

SplittingRun run_splitting(const Config& config) {
  SplittingRun result;
  PathRunner paths(config, result);
  const analysis::Effort effort{config.rare.levels.size(), config.rare.effort, config.run.seed};
  result.splitting = analysis::split<PathState>(
      effort, [&](std::uint64_t trial) { return paths.begin(trial); },
      [&](const PathState& from, std::uint64_t stage, std::uint64_t trial) {
        return paths.go_on(from, stage, trial);
      },
      &result.top);
  return result;
}

Config branch_of(const Config& config, const PathState& from, std::optional<std::uint64_t> fresh) {
  Config path = config;
  path.run.seed = from.seed;
  path.rare.lineage = from.lineage;
  if (fresh) path.rare.lineage.push_back({from.event, *fresh});
  return path;
}

std::vector<std::string> overrides_of(const PathState& path) {
  std::string steps;
  for (const LineageStep& each : path.lineage) {
    steps += fmt::format("{}{{event={},seed={}}}", steps.empty() ? "" : ",", each.event, each.seed);
  }
  return {fmt::format("rare.lineage=[{}]", steps)};
}

}  // namespace photonsim::campaigns
