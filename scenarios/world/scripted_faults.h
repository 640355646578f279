// From the tables of [faults] in which each fault is written down, and from
// [[operations.kill_master]], to faults of the simulator.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/fault_table.h"
#include "scenarios/faults/modelled_fault.h"

namespace photonsim::scenarios {

// The faults that models of the environment receive before the run.
ModelFaults model_faults(const Config& config, const Deployment& deployment);

// What one entry of the scenario becomes.
struct StatedFault {
  std::string_view table{};  // "faults.crash", "operations.kill_master"
  ScriptedFault faults{};
};

// In the order of the turns of the tables (fault_table.h). `seed` decides what an entry leaves open
// (the order of a swizzle). `numbers` must outlive the run.
std::vector<StatedFault> scripted_faults(const Config& config, const Deployment& deployment,
                                         std::uint64_t seed, FaultNumbers& numbers);

}  // namespace photonsim::scenarios
