// Does a backlog grow for as long as it is watched? Then the run has no steady state, and none of
// its latencies describes the deployment: each depends on the length of the run.
#pragma once

#include <cstdint>
#include <span>

namespace photon::analysis {

enum class Stationarity : std::uint8_t {
  unknown,  // too few samples
  stationary,
  behind,  // it ends long, but did not grow throughout
  growing,
};

struct BacklogTrend {
  Stationarity verdict = Stationarity::unknown;
  double growth_per_second = 0;  // from the first quarter's mean to the last quarter's
  // That growth, in standard deviations of what chance makes of a queue at its capacity: between
  // the quarters' centres as many arrive as leave, each by itself, so the variance is twice the
  // arrivals.
  double deviations = 0;
  double share = 0;  // that growth in the arrivals meanwhile

  // It grows, and chance hardly explains it, nor `times` as much of it.
  bool surely_grows(double times = 1) const {
    return verdict == Stationarity::growing && deviations >= 4 * times;
  }
};

inline constexpr std::size_t kLeastBacklogSamples = 12;

// `backlog` and `arrived`: samples at equal distances of `interval_seconds`; `arrived` counts what
// has entered the backlog so far.
//
// It grows if, from each quarter to the next, its mean increases by at least one unit, and the mean
// time in it by at least 1 % of a quarter's length: by Little's law, mean backlog over rate of
// arrivals. So these are not accused: a backlog that a fault makes and that drains; the fluctuation
// of a queue below saturation; arrivals that increase while each waits no longer than before, as in
// the first seconds, until shipping has reached its usual delay.
//
// It ends behind if that mean time is longer in the last quarter than in the shortest one, by a
// tenth of a quarter's length: a load that rises and falls, a fault.
BacklogTrend backlog_trend(std::span<const double> backlog, std::span<const double> arrived,
                           double interval_seconds);

}  // namespace photon::analysis
