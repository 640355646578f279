// The bound of the clocks' rate error as the scenario states it, as whole numbers.
#pragma once

#include <cstdint>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// In parts per billion.
inline std::uint32_t clock_drift_ppb(const Registry& registry) {
  return static_cast<std::uint32_t>(registry.clock_drift_bound * 1e9 + 0.5);
}

// In parts per million, upwards: a bound that is rounded down is none.
inline std::uint32_t clock_drift_ppm(const Registry& registry) {
  return (clock_drift_ppb(registry) + 999) / 1000;
}

}  // namespace photonsim::scenarios
