#include "analysis/theory/joint_claims.h"

#include <algorithm>
#include <cmath>

#include "analysis/theory/duration_domain.h"

namespace photon::analysis::theory {
namespace {

bool is_inner_fraction(double fraction) { return fraction > 0 && fraction < 1; }

// Means of an exponential distribution up to its quantile.
double quantile_in_means(double fraction) { return -std::log1p(-fraction); }

bool is_claim(const LatencyClaim& claim) {
  return is_inner_fraction(claim.fraction) && is_inner_fraction(claim.waste_max) &&
         is_positive_duration(claim.bound_seconds) && is_duration(claim.fixed_seconds);
}

}  // namespace

std::optional<double> latency_quantile_seconds(const ShippedClick& click, double fraction,
                                               Pipelines pipelines) {
  if (!is_inner_fraction(fraction) || !is_duration(click.fixed_seconds) ||
      !is_duration(click.shipping_mean_seconds) || !is_duration(click.window_seconds)) {
    return {};
  }
  // The first of two independent exponential copies arrives after half of the mean.
  const double copies = pipelines == Pipelines::two ? 2 : 1;
  return click.fixed_seconds + click.window_seconds +
         click.shipping_mean_seconds / copies * quantile_in_means(fraction);
}

std::optional<double> window_max_seconds(const LatencyClaim& claim) {
  if (!is_claim(claim) || claim.bound_seconds <= claim.fixed_seconds) return {};
  const double means_per_window = 1 / quantile_in_means(claim.waste_max);
  return (claim.bound_seconds - claim.fixed_seconds) /
         (1 + means_per_window * quantile_in_means(claim.fraction) / 2);
}

std::optional<double> window_max_with_outage_seconds(const LatencyClaim& claim, double ratio_max) {
  if (!is_claim(claim) || !std::isfinite(ratio_max) || ratio_max <= 1) return {};
  LatencyClaim free = claim;
  free.fixed_seconds = 0;
  const auto without_outage = window_max_seconds(free);
  if (!without_outage) return {};
  const double means = quantile_in_means(claim.fraction);
  const double least_fixed = means * (1 - ratio_max / 2) / (ratio_max - 1);
  if (least_fixed <= 0) return without_outage;
  const double shipping_mean_max = claim.bound_seconds / (least_fixed + means / 2);
  return std::min(*without_outage, shipping_mean_max * quantile_in_means(claim.waste_max));
}

}  // namespace photon::analysis::theory
