#include "analysis/theory/bulk_service.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace photon::analysis::theory {
namespace {

using Complex = std::complex<double>;

// The root of z = unity * e^(load (z - 1)) inside the unit circle, for |unity| = 1 and load < 1.
// Repeated substitution contracts everywhere there; Newton's steps end it in a few rounds.
Complex root_inside(Complex unity, double load) {
  Complex z = 0;
  constexpr int kSubstitutions = 20;
  for (int round = 0; round < kSubstitutions; ++round) z = unity * std::exp(load * (z - 1.0));
  constexpr int kNewtonSteps = 50;
  for (int round = 0; round < kNewtonSteps; ++round) {
    const Complex next = unity * std::exp(load * (z - 1.0));
    const Complex step = (z - next) / (1.0 - load * next);
    z -= step;
    if (std::abs(step) < 1e-15) break;
  }
  return z;
}

}  // namespace

std::optional<BulkService> bulk_service(double arrivals_per_service, std::uint32_t batch_max) {
  if (!std::isfinite(arrivals_per_service) || arrivals_per_service < 0) return {};
  if (arrivals_per_service >= batch_max) return {};
  const double load = arrivals_per_service / batch_max;
  const double spare = batch_max - arrivals_per_service;
  // With X(z) = spare e^(a (z - 1)) (z - 1) prod((z - z_k) / (1 - z_k)) / (z^B - e^(a (z - 1))):
  // P(X = 0) = X(0), and the mean of Y is X'(1) - a. Roots come in conjugate pairs.
  double log_none_waits = std::log(spare);
  double sum = 0;
  for (std::uint32_t k = 1; 2 * k <= batch_max; ++k) {
    const double angle = 2 * std::numbers::pi * k / batch_max;
    const Complex root = root_inside(std::polar(1.0, angle), load);
    const double copies = 2 * k == batch_max ? 1 : 2;
    log_none_waits += copies * std::log(std::abs(root) / std::abs(1.0 - root));
    sum += copies * (1.0 / (1.0 - root)).real();
  }
  const double batch = batch_max;
  const double at_one =
      (batch * (batch - 1) - arrivals_per_service * arrivals_per_service) / (2 * spare);
  // Rounding may leave the difference of two equal numbers below zero.
  return BulkService{.none_waits = std::min(std::exp(log_none_waits), 1.0),
                     .left_over_mean = std::max(sum - at_one, 0.0)};
}

}  // namespace photon::analysis::theory
