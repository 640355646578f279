#include "analysis/rare_events/replications.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/moments.h"
#include "analysis/statistics/ratios.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

Moments moments_of(std::span<const double> values) {
  Moments moments;
  for (const double each : values) moments.add(each);
  return moments;
}

double skewness_of(std::span<const double> values, const Moments& moments) {
  const auto n = static_cast<double>(values.size());
  const double deviation = moments.standard_deviation();
  if (n < 3 || deviation <= 0) return 0;
  double cubes = 0;
  for (const double each : values) cubes += std::pow((each - moments.mean()) / deviation, 3);
  return cubes * n / ((n - 1) * (n - 2));
}

// By how many standard deviations of one value the truth may lie above their mean: the inverse of
// Hall's cubic transformation at the lower quantile.
double hall_above(double skewness, double n, double factor) {
  const double third = skewness / 3;
  const double y = -factor / std::sqrt(n) - skewness / (6 * n);
  if (std::abs(third) < 1e-9) return -y;
  return -(std::cbrt(1 + 3 * third * y) - 1) / third;
}

// `influences`: the linearised estimate of each replication, their mean being the value.
Estimate interval_of(double value, std::span<const double> influences, double confidence) {
  const std::uint64_t n = influences.size();
  if (value <= 0) return Estimate::without_interval(0, n, Shortage::no_event);
  if (n < 2) return Estimate::without_interval(value, n, Shortage::replications);
  const Moments moments = moments_of(influences);
  const auto count = static_cast<double>(n);
  const double factor = student_factor(n, confidence);
  const double deviation = moments.standard_deviation();
  if (deviation <= 0) return Estimate::without_interval(value, n, Shortage::no_spread);
  const double spread = std::exp(factor * deviation / std::sqrt(count) / value);
  const double above =
      value + deviation * hall_above(skewness_of(influences, moments), count, factor);
  return Estimate::with_interval(value, {value / spread, std::max(value * spread, above)}, n);
}

}  // namespace

Estimate positive_mean(std::span<const double> values, double confidence) {
  return interval_of(moments_of(values).mean(), values, confidence);
}

Estimate probability_mean(std::span<const double> values, double confidence) {
  const bool certain = std::ranges::all_of(values, [](double each) { return each >= 1; });
  if (certain && values.size() >= 2) {
    return Estimate::with_interval(1, {1 - rule_of_three(values.size(), confidence), 1},
                                   values.size());
  }
  Estimate estimate = positive_mean(values, confidence);
  if (estimate.interval) estimate.interval->high = std::min(estimate.interval->high, 1.0);
  return estimate;
}

Estimate positive_ratio(std::span<const double> above, std::span<const double> below,
                        double confidence) {
  PHOTON_CHECK(above.size() == below.size(), "a ratio is of pairs");
  const double base = moments_of(below).mean();
  PHOTON_CHECK(base > 0, "a ratio has a base");
  const double ratio = moments_of(above).mean() / base;
  std::vector<double> influences;
  for (std::size_t i = 0; i < above.size(); ++i) {
    influences.push_back(ratio + (above[i] - ratio * below[i]) / base);
  }
  return interval_of(ratio, influences, confidence);
}

double effective_sample(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double each : values) {
    sum += each;
    squares += each * each;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

}  // namespace photon::analysis
