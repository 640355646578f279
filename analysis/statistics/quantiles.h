// Quantiles of independent observations, with intervals by order statistics.
//
// Assumption: the observations are independent of each other. Latencies of one run are not: they
// share queues and faults. Their intervals come from replications (quantile_replications.h).
//
// The interval lies between the observations of ranks l and u of n, where
// P(l <= B <= u - 1) >= confidence for B binomial with n trials and the quantile's fraction, and
// neither side misses with more than (1 - confidence) / 2. It holds for every distribution (David
// and Nagaraja, Order Statistics, 3rd ed. 2003, section 7.1; Hahn and Meeker, Statistical
// Intervals, 1991, section 5.2).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analysis/statistics/interval.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

// A sample is large enough for a quantile if at least this number of observations is expected on
// the thinner side of it: n * min(p, 1 - p) >= 10, the stricter of the two textbook conditions that
// Brown, Cai and DasGupta list (Statistical Science 16, 2001, section 1). It is about the figure as
// well as its interval: with fewer, a quantile is close to the sample's largest observation.
inline constexpr std::uint64_t kBeyondQuantileMin = 10;

// Every `fraction` is in (0, 1): 0.99 for the 99th percentile.
std::uint64_t sample_needed(double fraction);
bool too_small(std::uint64_t n, double fraction);

// Of the sorted sample, from 1.
struct QuantileRanks {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};
// Nothing if the sample has no observation far enough out on one of the sides.
std::optional<QuantileRanks> quantile_ranks(std::uint64_t n, double fraction, double confidence);

// The value is the smallest observation that at least `fraction` of all do not exceed; 0 of none.
Estimate quantile_of_sorted(std::span<const double> ascending, double fraction,
                            double confidence = kConfidence);
// In nanoseconds, interpolated inside buckets.
Estimate quantile_of_histogram(const LatencyHistogram& sample, double fraction,
                               double confidence = kConfidence);

}  // namespace photon::analysis
