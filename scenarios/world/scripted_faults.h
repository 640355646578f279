// From the tables of [faults] in which each fault is written down, and from
// [[operations.kill_master]], to faults of the simulator.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/faults/fault_table.h"
#include "scenarios/language/config.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// In the order of the turns of the tables (fault_table.h). `seed`: of what an entry leaves open (the order of a swizzle).
std::vector<ScriptedFault> scripted_faults(const Config& config,
                                           const photon::sim::Topology& topology,
                                           std::uint64_t seed);

}  // namespace photonsim::scenarios
