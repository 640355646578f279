// What came of the scripted operations, and which of them did not end as the scenario expects: what
// operators asked for and did not get, or got although the point was that they should not (SPEC H,
// inert faults; BC-17, BC-19).
//
// How a change of shards ended its operator knows. Whether a master moved is seen from outside: the
// wanted replica was elected after it was asked for. Masters that are to be killed are faults of
// the run's list, and reported there.
#pragma once

#include <string>
#include <vector>

#include "scenarios/language/config.h"
#include "scenarios/world/deployment.h"
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
