// The datacenters that must work alone when faults have ended, and the state of the others
// (DESIGN 6).
#pragma once

#include <vector>

#include "core_impl/trace/environment.h"
#include "scenarios/config/config.h"
#include "sim/fault.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

struct Core {
  photon::trace::CoreChosen chosen{};
  std::vector<photon::sim::Fault> lasting{};  // of those outside
};

// Requires a core.
Core core_of(const Config& config, const photon::sim::Topology& topology);

}  // namespace photonsim::scenarios
