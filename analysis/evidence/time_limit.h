// How long may it take a dispatcher that nothing holds up to come to a click of its retry store?
#pragma once

#include <cstdint>

#include "analysis/trace_files/trace_check.h"

namespace photon::analysis {

// `patience`, and a turn for each of so many clicks that may be due before it. A trace from
// anywhere may state any numbers: at most as long as any time of a trace is from zero, so that sums
// with a few of those are times.
inline Duration with_turns(Duration time_limit, std::uint64_t clicks, Duration turn) {
  const double sum = static_cast<double>(time_limit.count()) +
                     static_cast<double>(clicks) * static_cast<double>(turn.count());
  if (sum >= static_cast<double>(TraceCheck::kFarthest.count())) return TraceCheck::kFarthest;
  if (sum < 0) return Duration::zero();
  return time_limit + static_cast<std::int64_t>(clicks) * turn;
}

}  // namespace photon::analysis
