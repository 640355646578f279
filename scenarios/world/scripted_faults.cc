#include "scenarios/world/scripted_faults.h"

#include <map>
#include <optional>
#include <utility>

#include "core_impl/base/check.h"
#include "scenarios/config/config_names.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/lowering.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

// The first of the keys by which models know their faults; part of the key of their random draws.
constexpr std::uint32_t kFirstKey = 1'000'000'000;

// The master is known when the fault begins (master_watch.h).
ScriptedFault kill_of(const Config& config, const KillMasterOperation& kill) {
  const std::optional<std::uint64_t> group = group_number(config, kill.group);
  PHOTON_CHECK(group.has_value(), "the scenario was validated, so its groups exist");
  const sim::Victim master{static_cast<std::uint32_t>(*group), "the master of " + kill.group};
  return {fault_of({kill.at, kill.restart_after}, sim::CrashProcess{{}, master})};
}

// Visits each entry of the tables whose faults models carry out, with its key.
template <class Visit>
void each_modelled(const Config& config, Visit visit) {
  std::uint32_t key = kFirstKey;
  for (const FaultTable* const table : kAllFaults) {
    if (table->model == nullptr) continue;
    for (std::size_t i = 0; i < table->schema.size(config); ++i) visit(*table, i, key++);
  }
}

}  // namespace

ModelFaults model_faults(const Config& config, const Deployment& deployment) {
  ModelFaults faults;
  each_modelled(config, [&](const FaultTable& table, std::size_t number, std::uint32_t key) {
    table.model({config, deployment, key, faults}, number);
  });
  return faults;
}

std::vector<StatedFault> scripted_faults(const Config& config, const Deployment& deployment,
                                         std::uint64_t seed, FaultNumbers& numbers) {
  std::vector<StatedFault> all;
  std::map<std::pair<const FaultTable*, std::size_t>, std::uint32_t> keys;
  each_modelled(config, [&](const FaultTable& table, std::size_t number, std::uint32_t key) {
    keys[{&table, number}] = key;
  });
  auto add_kills = [&, added = false](int turn) mutable {
    if (added || turn <= kTurnOfKills) return;
    added = true;
    for (const auto& each : config.operations.kills) {
      all.push_back({"operations.kill_master", kill_of(config, each)});
    }
  };
  for (const FaultTable* const table : faults_by_turn()) {
    add_kills(table->turn);
    if (table->lower == nullptr) continue;
    for (std::size_t i = 0; i < table->schema.size(config); ++i) {
      const auto key = keys.find({table, i});
      const Lowering lowering{config, deployment, deployment.topology,
                              seed,   numbers,    key == keys.end() ? 0 : key->second};
      all.push_back({table->schema.path, table->lower(lowering, i)});
    }
  }
  return all;
}

}  // namespace photonsim::scenarios
