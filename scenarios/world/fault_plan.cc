#include "scenarios/world/fault_plan.h"

#include <algorithm>

#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/random_plan.h"
#include "scenarios/world/forced_crash.h"
#include "scenarios/world/scripted_faults.h"
#include "sim/random_faults.h"

namespace photonsim::scenarios {

namespace sim = photon::sim;

FaultPlan plan_faults(const Config& config, const Deployment& deployment, Duration generation,
                      std::uint64_t seed, FaultNumbers& numbers) {
  const sim::Topology& topology = deployment.topology;
  struct Planned {
    sim::Fault fault;
    std::optional<std::size_t> entry;
    bool forced = false;
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
  for (sim::Fault& fault : sim::expand(random_faults_of(config, topology, generation), seed)) {
    planned.push_back({std::move(fault), std::nullopt});
  }
  if (auto crash = forced_crash(config, topology, generation, seed)) {
    planned.push_back({*std::move(crash), std::nullopt, true});
  }
  std::ranges::stable_sort(planned, {}, [](const Planned& each) { return each.fault.at; });
  for (Planned& each : planned) {
    for (const FaultTable* const table : kAllFaults) {
      if (table->adjust != nullptr) table->adjust(config, topology, each.fault);
    }
    if (each.forced) plan.forced = plan.list.size();
    plan.list.push_back(std::move(each.fault));
    plan.entries.push_back(each.entry);
  }
  return plan;
}

}  // namespace photonsim::scenarios
