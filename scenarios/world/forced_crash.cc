#include "scenarios/world/forced_crash.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "sim/process_faults.h"
#include "sim/purposes.h"

namespace photonsim::scenarios {

namespace sim = photon::sim;
using photon::SimTime;

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
  const auto part = static_cast<std::int64_t>(seed % config.rare.strata);
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

photon::analysis::RareFigures cost_of(const sim::Fault& crash,
                                      const photon::analysis::Accounting& accounting) {
  photon::analysis::RareFigures figures;
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
