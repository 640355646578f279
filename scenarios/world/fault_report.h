// What faults did in a run, and which did nothing although they were configured: such a fault does
// not work (DESIGN 6).
#pragma once

#include "analysis/reports/summary.h"
#include "scenarios/config/config.h"
#include "scenarios/world/fault_plan.h"
#include "sim/simulation.h"

namespace photonsim::scenarios {

// The planned faults, and those of the datacenters outside the core.
void report_faults(const Config& config, const FaultPlan& plan,
                   const photon::sim::Simulation& simulation, photon::analysis::Summary& summary);

// What the network and the volumes did to messages and requests.
void report_models(const Config& config, const photon::sim::Simulation& simulation,
                   photon::analysis::Summary& summary);

}  // namespace photonsim::scenarios
