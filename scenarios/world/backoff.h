// The dispatcher's pauses as the scenario states them, in the integers with which they are kept.
#pragma once

#include "core_impl/photon/intake/backoff.h"
#include "scenarios/config/config.h"
#include "scenarios/config/permille.h"

namespace photonsim::scenarios {

inline photon::Backoff backoff_of(const Dispatcher& dispatcher) {
  return {dispatcher.backoff_initial, permille(dispatcher.backoff_factor), dispatcher.backoff_cap,
          permille(dispatcher.backoff_jitter)};
}

}  // namespace photonsim::scenarios
