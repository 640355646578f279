// What run.outside_core does to the datacenters outside the core, under the names of faults.
#pragma once

#include <array>

#include "scenarios/faults/fault_table.h"

namespace photonsim::scenarios {

// The kinds of the faults of datacenters outside the core, by OutsideCore.
inline constexpr std::array kOutsideCoreKinds{
    CountedKind{"outside_core.down", "A process outside the core was down."},
    CountedKind{"outside_core.cut_off", "A message to or from the core was cut."},
    CountedKind{"outside_core.mute", "A message to the core was cut."}};

}  // namespace photonsim::scenarios
