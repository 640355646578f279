// Does a backlog grow for as long as it is watched? Then the run has no steady state, and none of
// its latencies describes the deployment: each depends on the length of the run.
#pragma once

#include <cstdint>
#include <span>

namespace photon::analysis {

enum class Stationarity : std::uint8_t {
  unknown,  // too few samples
  stationary,
  growing,
};

struct BacklogTrend {
  Stationarity verdict = Stationarity::unknown;
  double growth_per_second = 0;  // from the first quarter's mean to the last quarter's
};

inline constexpr std::size_t kLeastBacklogSamples = 12;

// `backlog`: samples at equal distances of `interval_seconds`. It grows if the mean of each quarter
// exceeds that of the one before by at least 1 % of what arrived in a quarter, and by one unit. A
// backlog that a fault makes and that drains afterwards does not grow throughout; the fluctuation
// of a queue below saturation does not grow by 1 % of the load, quarter after quarter.
BacklogTrend backlog_trend(std::span<const double> backlog, double interval_seconds,
                           double arrivals_per_second);

}  // namespace photon::analysis
