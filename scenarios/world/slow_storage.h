// How slow the shared storage surely is not: what time-outs and bounds have to allow for.
//
// Assumption: the paper gives no latencies of storage; those of the model are lognormal
// (models/storage.h), and what one operation in 10^8 exceeds happens in no run.
#pragma once

#include <algorithm>
#include <cmath>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// A latency with that median and 99th percentile is longer once in 10^8 draws: it is lognormal, and
// that is 2.4 times as far out as one in a hundred.
inline Duration slowest(Duration median, Duration p99) {
  constexpr double kFurtherOut = 1.4;
  constexpr double kLongest = 1e18;  // thirty years: extreme scenarios must not overflow
  const auto usual = static_cast<double>(std::max<std::int64_t>(median.count(), 1));
  const auto slow = static_cast<double>(p99.count());
  const double at_most = slow * std::pow(std::max(slow / usual, 1.0), kFurtherOut);
  return Duration(static_cast<std::int64_t>(std::min(at_most, kLongest)));
}

inline Duration slowest_append(const Cell& cell) {
  return slowest(cell.append_median, cell.append_p99);
}
inline Duration slowest_read(const Cell& cell) { return slowest(cell.read_median, cell.read_p99); }

// A journal changes owners: the new owner fences it, reads it, and writes that it is the owner,
// after an append that may be in flight.
inline Duration slowest_takeover(const Cell& cell) {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  const double total = 2.0 * static_cast<double>(slowest_append(cell).count()) +
                       2.0 * static_cast<double>(slowest_read(cell).count()) +
                       static_cast<double>(cell.list_latency.count());
  return Duration(total < static_cast<double>(kMost) ? static_cast<std::int64_t>(total) : kMost);
}

}  // namespace photonsim::scenarios
