// From the tables of [faults] in which each fault is written down, and from
// [[operations.kill_master]], to faults of the simulator.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/language/config.h"
#include "sim/fault.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// What one entry of a table means: a restart loop is several crashes, the outage of a region one of
// each of its datacenters. Never empty.
using ScriptedFault = std::vector<photon::sim::Fault>;

// In the order of the tables. `seed`: of what an entry leaves open (the order of a swizzle).
std::vector<ScriptedFault> scripted_faults(const Config& config,
                                           const photon::sim::Topology& topology,
                                           std::uint64_t seed);

}  // namespace photonsim::scenarios
