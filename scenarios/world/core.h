// The datacenters that must work alone when faults have ended, and the state of the others
// (DESIGN 6).
#pragma once

#include <array>
#include <vector>

#include "core_impl/trace/environment.h"
#include "scenarios/faults/fault_table.h"
#include "scenarios/language/config.h"
#include "sim/fault.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// The kinds of the faults of datacenters outside the core, by OutsideCore.
inline constexpr std::array kOutsideCoreKinds{
    CountedKind{"outside_core.down", "A process outside the core was down."},
    CountedKind{"outside_core.cut_off", "A message to or from the core was cut."},
    CountedKind{"outside_core.mute", "A message to the core was cut."}};

struct Core {
  photon::trace::CoreChosen chosen{};
  std::vector<photon::sim::Fault> lasting{};  // of those outside
};

// Requires a core.
Core core_of(const Config& config, const photon::sim::Topology& topology);

}  // namespace photonsim::scenarios
