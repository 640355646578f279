// Quantiles over independent replications, from their histograms. All values in nanoseconds.
//
// Observations inside a replication may depend on each other, but each replication must be long
// against that dependence. For the p99 of M/M/1 from its steady state the intervals by sections
// cover 94 % (load 0.6, 20 replications of 5,000 customers), 89 % (0.8, 5 of 5,000), 77 % (0.8, 10
// of 1,000) and 76 % (0.9, 10 of 5,000): more replications do not mend that, longer ones do.
//
// The value is always the quantile of the merged histogram: quantiles are never averaged, because
// the mean of the quantiles of parts is biased by as much as a part is small. Two intervals:
//
//   by sections   Student's factor times the spread of the replications' quantiles around the
//                 merged one (Asmussen and Glynn, Stochastic Simulation, 2007, section III.5;
//                 Nakayama, ACM TOMACS 24, 2014). Every replication must be large enough for the
//                 quantile by itself (quantiles.h).
//   by inversion  how far the share of observations beyond the merged quantile varies between
//                 replications (ratios.h), read back as quantiles of the merged histogram
//                 (Woodruff, JASA 47, 1952). Only the replications together must be large enough,
//                 and five of them must have an observation beyond: it serves p99.9 and further.
//
// All are interpolated inside the histograms' buckets.
#pragma once

#include <span>

#include "analysis/statistics/interval.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

// `n` is the count of replications. fraction in (0, 1).
Estimate quantile_by_sections(std::span<const LatencyHistogram> replications, double fraction,
                              double confidence = kConfidence);
Estimate quantile_by_inversion(std::span<const LatencyHistogram> replications, double fraction,
                               double confidence = kConfidence);

// By sections where every replication is large enough, else by inversion.
Estimate quantile_by_replications(std::span<const LatencyHistogram> replications, double fraction,
                                  double confidence = kConfidence);

}  // namespace photon::analysis
