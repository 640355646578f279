#include "analysis/theory/waste.h"

#include <algorithm>
#include <cmath>

#include "analysis/theory/duration_domain.h"

namespace photon::analysis::theory {

std::optional<double> waste_of_exponential_shipping(double window_seconds,
                                                    double shipping_mean_seconds) {
  if (!is_duration(window_seconds) || !is_positive_duration(shipping_mean_seconds)) return {};
  return -std::expm1(-window_seconds / shipping_mean_seconds);
}

std::optional<double> waste_of_scan_phase(double window_seconds, double scan_period_seconds) {
  if (!is_duration(window_seconds) || !is_positive_duration(scan_period_seconds)) return {};
  const double part = std::min(window_seconds / scan_period_seconds, 1.0);
  return part * (2 - part);
}

std::optional<double> waste_of_jittered_scan(double window_seconds, double scan_period_seconds,
                                             double jitter) {
  if (!(jitter >= 0 && jitter < 1)) return {};
  const auto regular = waste_of_scan_phase(window_seconds, scan_period_seconds);
  return regular ? std::optional(*regular * (1 - jitter / 3)) : std::nullopt;
}

std::optional<double> waste_of_near_far_shipping(double window_seconds, double gap_seconds,
                                                 double noise_mean_seconds) {
  if (!is_duration(window_seconds) || !is_duration(gap_seconds)) return {};
  if (!is_positive_duration(noise_mean_seconds)) return {};
  // Exponentials of differences instead of products, because sinh and cosh overflow.
  const double apart = std::exp(-std::abs(gap_seconds - window_seconds) / noise_mean_seconds);
  const double both = std::exp(-(gap_seconds + window_seconds) / noise_mean_seconds);
  if (window_seconds <= gap_seconds) return (apart - both) / 2;
  return 1 - (apart + both) / 2;
}

std::optional<double> shipping_mean_for_waste(double window_seconds, double waste_max) {
  if (!is_duration(window_seconds) || !(waste_max > 0 && waste_max < 1)) return {};
  return -window_seconds / std::log1p(-waste_max);
}

std::optional<double> share_of_first_pipeline(double window_difference_seconds,
                                              double shipping_mean_seconds) {
  if (!std::isfinite(window_difference_seconds)) return {};
  if (!is_positive_duration(shipping_mean_seconds)) return {};
  const double smaller = std::exp(-std::abs(window_difference_seconds) / shipping_mean_seconds) / 2;
  return window_difference_seconds < 0 ? smaller : 1 - smaller;
}

}  // namespace photon::analysis::theory
