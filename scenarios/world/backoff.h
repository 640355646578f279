// The dispatcher's pauses as the scenario states them, in the integers with which they are kept.
#pragma once

#include "core_impl/photon/intake/backoff.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// A fraction as whole thousandths.
inline std::uint32_t permille(double fraction) {
  return static_cast<std::uint32_t>(fraction * 1000.0 + 0.5);
}

inline photon::Backoff backoff_of(const Dispatcher& dispatcher) {
  return {dispatcher.backoff_initial, permille(dispatcher.backoff_factor), dispatcher.backoff_cap,
          permille(dispatcher.backoff_jitter)};
}

}  // namespace photonsim::scenarios
