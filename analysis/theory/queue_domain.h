// Which loads describe a queue, and which of these have a steady state.
#pragma once

#include <cmath>
#include <cstdint>

#include "analysis/theory/queues.h"

namespace photon::analysis::theory {

inline bool is_load(const QueueLoad& load) {
  return std::isfinite(load.arrivals_per_second) && load.arrivals_per_second >= 0 &&
         std::isfinite(load.service_mean_seconds) && load.service_mean_seconds > 0 &&
         std::isfinite(load.offered_erlangs());
}

// `servers` customers are served at a time, and all may wait.
inline bool is_stable(const QueueLoad& load, std::uint32_t servers) {
  return is_load(load) && load.offered_erlangs() < servers;
}

// A fraction of which a distribution without an upper end has a quantile.
inline bool is_quantile(double fraction) { return fraction >= 0 && fraction < 1; }

}  // namespace photon::analysis::theory
