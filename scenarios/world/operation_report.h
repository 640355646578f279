// The outcomes of the scripted operations, and those that differ from what the scenario expects:
// operations that failed, or that succeeded although they must not (SPEC H, inert faults; BC-17,
// BC-19).
//
// The operator of a change of shards knows its outcome. A move of a master is observed: the target
// replica was elected after the request. Crashes of masters are faults of the run's list, and
// reported there.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/world/master_watch.h"
#include "sim/simulation.h"

namespace photonsim::scenarios {

// One sentence for each operation, in the order of the scenario.
struct OperationReport {
  // Of all operations.
  std::vector<std::string> ends{};
  // Of those that did not end as they should, and how that is.
  std::vector<std::string> unexpected{};
};

// Asked at the end of a run.
OperationReport report_operations(const Config& config, const Deployment& deployment,
                                  const MasterWatch& masters, photon::sim::Simulation& simulation);

}  // namespace photonsim::scenarios
