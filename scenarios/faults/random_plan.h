// From [[faults.random]] to the descriptions that the simulator expands into a list.
#pragma once

#include <vector>

#include "core_impl/base/result.h"
#include "models/tables/input_fault.h"
#include "scenarios/config/config.h"
#include "sim/random_faults.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// `generation`: how long clicks are generated; random faults without `until` stop there.
std::vector<photon::sim::RandomFaults> random_faults_of(const Config& config,
                                                        const photon::sim::Topology& topology,
                                                        Duration generation);

// The entries that mean too many faults for a list in a run of that length. The loader refuses them
// where the scenario states the length; with duration = "auto" only the trace knows it.
photon::models::InputFaults excessive_faults(const Config& config, Duration generation);

}  // namespace photonsim::scenarios
