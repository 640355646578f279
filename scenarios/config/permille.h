// Shares as the core takes them.
#pragma once

#include <cstdint>

namespace photonsim::scenarios {

// A fraction as whole thousandths.
inline std::uint32_t permille(double fraction) {
  return static_cast<std::uint32_t>(fraction * 1000.0 + 0.5);
}

}  // namespace photonsim::scenarios
