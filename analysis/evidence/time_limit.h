// The time limit of a dispatcher without faults to try a click of its retry store.
#pragma once

#include <cstdint>

#include "analysis/trace_files/trace_check.h"

namespace photon::analysis {

// `time_limit`, and a turn for each of `clicks` that may be due before it. A trace may state any
// numbers, so the result is limited to the greatest time of a trace: sums of a few of those do not
// overflow.
inline Duration with_turns(Duration time_limit, std::uint64_t clicks, Duration turn) {
  const double sum = static_cast<double>(time_limit.count()) +
                     static_cast<double>(clicks) * static_cast<double>(turn.count());
  if (sum >= static_cast<double>(TraceCheck::kFarthest.count())) return TraceCheck::kFarthest;
  if (sum < 0) return Duration::zero();
  return time_limit + static_cast<std::int64_t>(clicks) * turn;
}

}  // namespace photon::analysis
