// From [[faults.random]] to what the simulator draws its list from.
#pragma once

#include "scenarios/language/config.h"
#include "sim/random_faults.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// Nothing strikes behind the end of generation.
Duration end_of(const RandomFault& fault, Duration generation);

photon::sim::RandomFaults random_of(const RandomFault& fault, const photon::sim::Topology& topology,
                                    Duration generation);

}  // namespace photonsim::scenarios
