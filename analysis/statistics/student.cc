#include "analysis/statistics/student.h"

#include <cmath>

#include "analysis/statistics/critical_values.h"

namespace photon::analysis {

Estimate mean_of_replications(const Moments& replications, double confidence) {
  const std::uint64_t n = replications.count();
  const double mean = replications.mean();
  if (n < 2) return Estimate::without_interval(mean, n, Shortage::replications);
  const double error = replications.standard_deviation() / std::sqrt(static_cast<double>(n));
  const double half = student_factor(n, confidence) * error;
  return Estimate::with_interval(mean, {mean - half, mean + half}, n);
}

Estimate mean_of_replications(std::span<const double> replications, double confidence) {
  Moments moments;
  for (const double mean : replications) moments.add(mean);
  return mean_of_replications(moments, confidence);
}

std::optional<double> relative_half_width(const Estimate& estimate) {
  if (!estimate.interval || estimate.value == 0) return std::nullopt;
  return estimate.interval->half_width() / std::abs(estimate.value);
}

}  // namespace photon::analysis
