// From [[faults.random]] to the description that the simulator expands into a list.
#pragma once

#include "scenarios/config/config.h"
#include "scenarios/faults/random.h"
#include "sim/random_faults.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

namespace random_faults {

photon::sim::RandomFaults random_of(const RandomFault& fault, const photon::sim::Topology& topology,
                                    Duration generation);

}  // namespace random_faults

}  // namespace photonsim::scenarios
