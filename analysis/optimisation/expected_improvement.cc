#include "analysis/optimisation/expected_improvement.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace photon::analysis {
namespace {

// Below, logarithms of sums that cancel or vanish are those of their asymptotic series.
constexpr double kSeam = -10;

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double log_density(double z) { return -z * z / 2 - std::log(2 * std::numbers::pi) / 2; }
double distribution(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

// Of z Phi(z) + phi(z), which is the expectation of max(0, z + N).
double log_of_unit(double z) {
  if (z > kSeam) return std::log(z * distribution(z) + density(z));
  const double w = 1 / (z * z);
  const double series = 1 - 3 * w * (1 - 5 * w * (1 - 7 * w * (1 - 9 * w)));
  return log_density(z) - 2 * std::log(-z) + std::log(series);
}

}  // namespace

double log_expected_improvement(const Prediction& prediction, double best) {
  const double gain = best - prediction.mean;
  const double deviation = prediction.standard_deviation();
  if (!(deviation > 0)) {
    return gain > 0 ? std::log(gain) : -std::numeric_limits<double>::infinity();
  }
  return std::log(deviation) + log_of_unit(gain / deviation);
}

double log_augmented_improvement(const Prediction& prediction, double best, double noise_variance) {
  const double plain = log_expected_improvement(prediction, best);
  if (!(noise_variance > 0)) return plain;
  // 1 - sqrt(n / (v + n)), without cancellation.
  const double all = prediction.variance + noise_variance;
  const double told = prediction.variance / (all + std::sqrt(noise_variance * all));
  return plain + std::log(told);
}

double log_probability_below(const Prediction& prediction, double bound) {
  const double deviation = prediction.standard_deviation();
  if (!(deviation > 0)) {
    return prediction.mean <= bound ? 0 : -std::numeric_limits<double>::infinity();
  }
  const double z = (bound - prediction.mean) / deviation;
  if (z > kSeam) return std::log(distribution(z));
  const double w = 1 / (z * z);
  const double series = 1 - w * (1 - 3 * w * (1 - 5 * w * (1 - 7 * w)));
  return log_density(z) - std::log(-z) + std::log(series);
}

}  // namespace photon::analysis
