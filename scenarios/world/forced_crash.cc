#include "scenarios/world/forced_crash.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "core_impl/base/shuffle.h"
#include "sim/process_faults.h"
#include "sim/purposes.h"

namespace photonsim::scenarios {

namespace sim = photon::sim;
using photon::SimTime;

namespace {

// Seeds come in blocks: those of a block fall into all strata, in an order drawn for the block. So
// each crash alone is uniform over the window, however many of a block there are.
std::uint64_t stratum_of(std::uint64_t seed, std::uint64_t strata) {
  const std::uint64_t before = seed + strata - 1;  // studies begin with seed 1
  const photon::RandomStream order(before / strata, sim::purpose::kForcedCrash, 1);
  std::vector<std::uint64_t> parts(strata);
  std::iota(parts.begin(), parts.end(), std::uint64_t{0});
  photon::shuffle(parts, [&](std::uint64_t left) { return order.word(left); });
  return parts[before % strata];
}

}  // namespace

CrashWindow crash_window(const Config& config, Duration generation) {
  return {std::min(std::max(config.run.warm_up, config.run.measure_from), generation), generation};
}

std::optional<sim::Fault> forced_crash(const Config& config, const sim::Topology& topology,
                                       Duration generation, std::uint64_t seed) {
  if (config.rare.forced_crash == ForcedCrash::kNone) return std::nullopt;
  const std::vector<photon::NodeId> joiners = topology.processes_matching("*/joiner");
  const CrashWindow window = crash_window(config, generation);
  PHOTON_CHECK(!joiners.empty(), "a scenario that forces crashes has joiners");
  const auto words = photon::RandomStream(seed, sim::purpose::kForcedCrash, 0).block(0);
  const auto strata = static_cast<std::int64_t>(config.rare.strata);
  const auto part = static_cast<std::int64_t>(stratum_of(seed, config.rare.strata));
  const Duration begin = window.from + window.length() / strata * part;
  const Duration end =
      part + 1 == strata ? window.until : window.from + window.length() / strata * (part + 1);
  const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>((end - begin).count(), 1));
  const auto offset = static_cast<std::int64_t>(photon::uniform_below(words[0], length));
  sim::Fault fault;
  fault.at = SimTime(begin + Duration(offset));
  fault.duration = config.rare.restart_after;
  const photon::NodeId joiner = joiners[photon::uniform_below(words[1], joiners.size())];
  fault.action = sim::CrashProcess{{joiner}, std::nullopt};
  return fault;
}

photon::analysis::RareFigures figures_of_forced_crash(
    const sim::Fault& crash, const photon::analysis::Accounting& accounting, const Config& config,
    Duration generation) {
  photon::analysis::RareFigures figures;
  figures.forced = true;
  figures.click_seconds = std::chrono::duration<double>(generation - config.run.warm_up).count();
  const auto* action = crash.action.get_if<sim::CrashProcess>();
  PHOTON_CHECK(action != nullptr, "a forced crash crashes a process");
  for (const photon::analysis::JoinerEndCost& cost : accounting.joiner_ends) {
    if (cost.end.at != crash.at || cost.end.node != action->processes.front()) continue;
    figures.crashes = 1;
    figures.window = cost.end.window;
    figures.lost = cost.lost + cost.returned;
    figures.lost_at_end = cost.lost;
  }
  return figures;
}

}  // namespace photonsim::scenarios
