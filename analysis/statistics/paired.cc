#include "analysis/statistics/paired.h"

#include <algorithm>
#include <cmath>

#include "analysis/statistics/moments.h"
#include "analysis/statistics/student.h"
#include "core_impl/base/check.h"

namespace photon::analysis {

PairedDifference compare_paired(std::span<const double> first, std::span<const double> second,
                                double confidence) {
  PHOTON_CHECK(first.size() == second.size(), "every replication has its partner");
  Moments left;
  Moments right;
  Moments differences;
  double products = 0;  // of deviations from the means: Welford's recurrence for two
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double before = first[i] - left.mean();
    left.add(first[i]);
    right.add(second[i]);
    products += before * (second[i] - right.mean());
    differences.add(first[i] - second[i]);
  }
  PairedDifference result;
  result.difference = mean_of_replications(differences, confidence);
  if (left.squares() > 0 && right.squares() > 0) {
    const double correlation = products / (std::sqrt(left.squares()) * std::sqrt(right.squares()));
    result.correlation = std::clamp(correlation, -1.0, 1.0);
  }
  if (differences.squares() > 0) {
    result.variance_ratio = (left.squares() + right.squares()) / differences.squares();
  }
  return result;
}

}  // namespace photon::analysis
