// The rate of an event whose occurrences come in clusters, such as clicks lost by a crash.
//
// One crash loses many clicks at once, so lost clicks are not independent trials, and an interval
// that treats them so (Clopper-Pearson over clicks) is several times too narrow. The clusters are
// independent: the crashes, or the replications that contain them. The rate is the ratio of all
// events to all trials, its variance that of the linearised ratio over clusters (Cochran, Sampling
// Techniques, 3rd ed. 1977, section 2.11):
//
//   v = k / (k - 1) * sum (events_i - rate * trials_i)^2 / (sum trials_i)^2
//
// with a Student interval of k - 1 degrees on the scale of log odds, because rates are skewed and
// their variance grows with them (Korn and Graubard, Survey Methodology 24, 1998).
//
// Rules for few clusters:
//   * no event at all: the rule of three over clusters (Hanley and Lippman-Hand, JAMA 249, 1983).
//     The probability that a cluster has an event is below 1 - (1 - confidence)^(1/k), about 3/k;
//     the rate is not above it, even if an event takes every trial of its cluster.
//   * the event in one to four clusters: the variance is hardly known, and there is no interval.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/statistics/interval.h"

namespace photon::analysis {

// Independent of the others, and of about their size. events <= trials.
struct Cluster {
  std::uint64_t events = 0;
  std::uint64_t trials = 0;
};

// With fewer, the variance is hardly known: where four crashes with geometric losses are expected
// in all, an interval at 95 % was measured to cover 90 %.
inline constexpr std::uint64_t kClustersWithEventMin = 5;

// Events per trial. Clusters without trials are left out; `n` is the count of the others. What
// holds for events holds for their absence: a rate near one mirrors a rate near zero.
Estimate clustered_rate(std::span<const Cluster> clusters, double confidence = kConfidence);

// The upper end of the rule of three: one-sided, clusters > 0.
double rule_of_three(std::uint64_t clusters, double confidence = kConfidence);

// ln(p / (1 - p)) for p in (0, 1), and its inverse.
double log_odds(double probability);
double from_log_odds(double odds);

}  // namespace photon::analysis
