// A measured number with the interval that its uncertainty allows, or the reason why it has none.
//
// Invariant: an estimate has either an interval or a shortage. A number without an interval is
// never reported as if it were certain.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace photon::analysis {

// The level of every interval unless a caller says otherwise.
inline constexpr double kConfidence = 0.95;

// Closed: both ends belong to it. low <= high.
struct Interval {
  double low = 0;
  double high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
  double half_width() const { return (high - low) / 2; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// What there was too little of for an interval.
enum class Shortage : std::uint8_t {
  none,
  replications,  // fewer than two independent ones
  observations,  // too few beyond the quantile (quantiles.h)
  clusters,      // the event, or its absence, is in too few of them (ratios.h)
  no_event,      // no replication has one: it may be rare, so zero is not certain
  no_spread,     // replications of a skewed figure that all agree: their spread is not known
};

constexpr std::string_view text_of(Shortage shortage) {
  switch (shortage) {
    case Shortage::none:
      return "";
    case Shortage::replications:
      return "n too small: fewer than two replications";
    case Shortage::observations:
      return "n too small: too few observations beyond the quantile";
    case Shortage::clusters:
      return "n too small: too few independent clusters with the event";
    case Shortage::no_event:
      return "no replication has such an event";
    case Shortage::no_spread:
      return "all replications agree, so their spread is not known";
  }
  return "";
}

struct Estimate {
  // The point estimate, in the unit of the observations: a mean, a quantile, a rate, a difference.
  double value = 0;
  std::optional<Interval> interval;
  // Independent observations that the interval rests on: replications, or clusters, or the sample.
  std::uint64_t n = 0;
  Shortage shortage = Shortage::none;
  // Of a quantile over replications: how many independent observations beyond it the sample is
  // worth (quantile_replications.h).
  std::optional<double> beyond{};
  // Without enough observations: the replications in all that would have them, at the same rate.
  std::optional<std::uint64_t> n_needed{};

  static Estimate with_interval(double value, Interval interval, std::uint64_t n) {
    return {value, interval, n, Shortage::none};
  }
  static Estimate without_interval(double value, std::uint64_t n, Shortage shortage) {
    return {value, std::nullopt, n, shortage};
  }
};

}  // namespace photon::analysis
