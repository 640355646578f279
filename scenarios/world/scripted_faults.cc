#include "scenarios/world/scripted_faults.h"

#include <optional>

#include "core_impl/base/check.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/language/config_names.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

// The master is known when the fault begins (master_watch.h).
ScriptedFault kill_of(const Config& config, const KillMasterOperation& kill) {
  const std::optional<std::uint64_t> group = group_number(config, kill.group);
  PHOTON_CHECK(group.has_value(), "the scenario was validated, so its groups exist");
  const sim::Victim master{static_cast<std::uint32_t>(*group), "the master of " + kill.group};
  return {fault_of({kill.at, kill.restart_after}, sim::CrashProcess{{}, master})};
}

}  // namespace

std::vector<ScriptedFault> scripted_faults(const Config& config, const sim::Topology& topology,
                                           std::uint64_t seed) {
  std::vector<ScriptedFault> all;
  auto add_kills = [&, added = false](int turn) mutable {
    if (added || turn <= kTurnOfKills) return;
    added = true;
    for (const auto& each : config.operations.kills) all.push_back(kill_of(config, each));
  };
  for (const FaultTable* const table : faults_by_turn()) {
    add_kills(table->turn);
    if (table->lower == nullptr) continue;
    for (std::size_t i = 0; i < table->schema.size(config); ++i) {
      all.push_back(table->lower({config, topology, seed}, i));
    }
  }
  return all;
}

}  // namespace photonsim::scenarios
