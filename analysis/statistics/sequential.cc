#include "analysis/statistics/sequential.h"

#include <algorithm>
#include <cmath>

#include "analysis/statistics/critical_values.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

double student_half_width(double standard_deviation, std::uint64_t n, double confidence) {
  return student_factor(n, confidence) * standard_deviation / std::sqrt(static_cast<double>(n));
}

// The target in the unit of the value.
double absolute_target(const PrecisionTarget& target, double magnitude) {
  if (target.scale == Scale::absolute) return target.half_width;
  return target.half_width / (1 + target.half_width) * magnitude;
}

// Whether the most favourable truth that the sample allows still misses the target at `max`.
bool is_out_of_reach(const Estimate& estimate, double standard_deviation,
                     const PrecisionTarget& target, const ReplicationBounds& bounds,
                     double confidence) {
  const auto degrees = static_cast<double>(estimate.n - 1);
  const double upper = chi_squared_quantile((1 + confidence) / 2, degrees);
  const double least_deviation = standard_deviation * std::sqrt(degrees / upper);
  const double largest =
      std::max(std::abs(estimate.interval->low), std::abs(estimate.interval->high));
  return student_half_width(least_deviation, bounds.max, confidence) >
         absolute_target(target, largest);
}

}  // namespace

std::optional<std::uint64_t> replications_needed(double standard_deviation, double half_width,
                                                 double confidence) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  const auto suffices = [&](std::uint64_t n) {
    return student_half_width(standard_deviation, n, confidence) <= half_width;
  };
  if (!suffices(kMost)) return std::nullopt;
  std::uint64_t low = 2;
  std::uint64_t high = kMost;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (suffices(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

SequentialStep check_precision(const Estimate& estimate, const PrecisionTarget& target,
                               const ReplicationBounds& bounds, double confidence) {
  PHOTON_CHECK(target.half_width > 0, "a target of precision is above zero");
  PHOTON_CHECK(bounds.min >= 2, "an interval needs two replications");
  PHOTON_CHECK(bounds.min <= bounds.max, "the first stage is within the bounds");
  using enum PrecisionVerdict;
  const std::uint64_t n = estimate.n;
  const auto unfinished = n < bounds.max ? more_needed : unreachable;
  if (!estimate.interval || n < 2) {
    const bool hopeless = n >= bounds.min && estimate.n_needed.value_or(0) > bounds.max;
    return {hopeless ? unreachable : unfinished, estimate.n_needed};
  }
  const double wanted = absolute_target(target, std::abs(estimate.value));
  const double half = estimate.interval->half_width();
  if (n >= bounds.min && half <= wanted) return {reached, n};
  const double deviation = half * std::sqrt(static_cast<double>(n)) / student_factor(n, confidence);
  auto projected = replications_needed(deviation, wanted, confidence);
  if (projected) projected = std::max({*projected, bounds.min, n < bounds.min ? n : n + 1});
  if (n < bounds.min) return {more_needed, projected};
  if (is_out_of_reach(estimate, deviation, target, bounds, confidence)) {
    return {unreachable, projected};
  }
  return {unfinished, projected};
}

}  // namespace photon::analysis
