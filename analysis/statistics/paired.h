// Two configurations compared under common random numbers.
//
// Replication i of both runs with the same seed, so that what both share cancels in the difference
// (Law 2015, sections 10.2.1 and 11.2). The interval is Student's over the differences, which is
// valid for any correlation; the correlation and the ratio say what the common seeds bought.
#pragma once

#include <optional>
#include <span>

#include "analysis/statistics/interval.h"

namespace photon::analysis {

struct PairedDifference {
  // The mean of first - second.
  Estimate difference;
  // Pearson's, of the pairs. Nothing below two pairs, or if one side never varies.
  std::optional<double> correlation;
  // How many times smaller the variance of the difference is than with independent seeds:
  // (variance of first + variance of second) / variance of the differences. Below 1 the common
  // seeds do harm. Nothing if the differences never vary.
  std::optional<double> variance_ratio;
};

// One number per replication, of equal length; those at the same place ran with the same seed.
PairedDifference compare_paired(std::span<const double> first, std::span<const double> second,
                                double confidence = kConfidence);

}  // namespace photon::analysis
