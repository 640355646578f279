#include "scenarios/world/fault_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/deployment/components.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/random.h"
#include "scenarios/faults/random_plan.h"
#include "scenarios/world/scripted_faults.h"
#include "sim/random_faults.h"

namespace photonsim::scenarios {

namespace sim = photon::sim;

namespace {

// Replicas hold the leases of masters; whatever else a process of Photon holds for a time it holds
// as long as the state of a partition.
Duration lease_of(const Config& config, const sim::ProcessInfo& process) {
  return process.component == component::kRegistry ? config.registry.lease
                                                   : config.dispatcher.lease;
}

}  // namespace

photon::models::InputFaults excessive_faults(const Config& config, Duration generation) {
  photon::models::InputFaults excessive;
  const std::vector<RandomFault>& entries = config.faults.of<RandomFault>();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const RandomFault& fault = entries[i];
    const Duration window = end_of(fault, generation) - fault.from;
    if (window / fault.mean_interval <= kMostRandomFaults) continue;
    excessive.push_back({fmt::format("faults.random.{}", i), 0,
                         fmt::format("in the {} s of this trace it means more than {} faults",
                                     generation / std::chrono::seconds(1), kMostRandomFaults),
                         "a larger mean_interval, or an earlier until"});
  }
  return excessive;
}

FaultPlan plan_faults(const Config& config, const Deployment& deployment, Duration generation,
                      std::uint64_t seed, FaultNumbers& numbers) {
  const sim::Topology& topology = deployment.topology;
  std::vector<sim::RandomFaults> random;
  for (const auto& each : config.faults.of<RandomFault>()) {
    random.push_back(random_faults::random_of(each, topology, generation));
  }
  struct Planned {
    sim::Fault fault;
    std::optional<std::size_t> entry;
  };
  std::vector<Planned> planned;
  std::size_t entry = 0;
  FaultPlan plan;
  for (StatedFault& stated : scripted_faults(config, deployment, seed, numbers)) {
    plan.tables.push_back(stated.table);
    for (sim::Fault& fault : stated.faults) {
      if (is_series(sim::name_of(fault))) fault.series = static_cast<std::uint32_t>(entry + 1);
      planned.push_back({std::move(fault), entry});
    }
    ++entry;
  }
  for (sim::Fault& fault : sim::expand(random, seed)) {
    planned.push_back({std::move(fault), std::nullopt});
  }
  std::ranges::stable_sort(planned, {}, [](const Planned& each) { return each.fault.at; });
  for (Planned& each : planned) {
    if (auto* pause = each.fault.action.get_if<sim::PauseProcess>()) {
      const Duration lease = lease_of(config, topology.process(pause->process));
      if (each.fault.duration > lease) {
        each.fault.kind = kLongPauseName;
        pause->least = lease;
      }
    }
    plan.list.push_back(std::move(each.fault));
    plan.entries.push_back(each.entry);
  }
  return plan;
}

}  // namespace photonsim::scenarios
