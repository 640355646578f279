#include "analysis/rare_events/replications.h"

#include <cmath>
#include <vector>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/moments.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

Moments moments_of(std::span<const double> values) {
  Moments moments;
  for (const double each : values) moments.add(each);
  return moments;
}

// `relative`: standard error through value.
Estimate on_log_scale(double value, double relative, std::uint64_t n, double confidence) {
  if (n < 2) return Estimate::without_interval(value, n, Shortage::replications);
  if (value <= 0) return Estimate::without_interval(0, n, Shortage::no_event);
  const double factor = std::exp(student_factor(n, confidence) * relative);
  return Estimate::with_interval(value, {value / factor, value * factor}, n);
}

}  // namespace

Estimate positive_mean(std::span<const double> values, double confidence) {
  const Moments moments = moments_of(values);
  const double mean = moments.mean();
  const double error = moments.standard_deviation() / std::sqrt(static_cast<double>(values.size()));
  return on_log_scale(mean, mean > 0 ? error / mean : 0, values.size(), confidence);
}

Estimate positive_ratio(std::span<const double> above, std::span<const double> below,
                        double confidence) {
  PHOTON_CHECK(above.size() == below.size(), "a ratio is of pairs");
  const double base = moments_of(below).mean();
  PHOTON_CHECK(base > 0, "a ratio has a base");
  const double ratio = moments_of(above).mean() / base;
  Moments residuals;
  for (std::size_t i = 0; i < above.size(); ++i) residuals.add(above[i] - ratio * below[i]);
  const double error =
      residuals.standard_deviation() / std::sqrt(static_cast<double>(above.size())) / base;
  return on_log_scale(ratio, ratio > 0 ? error / ratio : 0, above.size(), confidence);
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
