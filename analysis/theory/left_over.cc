#include "analysis/theory/left_over.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include <unsupported/Eigen/FFT>

#include "analysis/theory/bulk_service.h"
#include "analysis/theory/tail_decay.h"

namespace photon::analysis::theory {
namespace {

using Complexes = std::vector<std::complex<double>>;

// A circle of radius e^growth, and the number of points on it.
struct Circle {
  double growth = 0;
  std::size_t points = 0;
};

// -log(1 - e^(a (z - 1)) z^-B) at z = e^(growth - 2 pi i j / N), the order of Eigen's transforms.
std::complex<double> log_factor(double arrivals, double batch, const Circle& circle,
                                std::size_t point) {
  const double angle =
      -2 * std::numbers::pi * static_cast<double>(point) / static_cast<double>(circle.points);
  const double radius = std::exp(circle.growth);
  const double real = arrivals * (radius * std::cos(angle) - 1) - batch * circle.growth;
  const double imaginary = arrivals * radius * std::sin(angle) - batch * angle;
  // 1 - e^(x + i y) without cancellation, which is worst at the point next to 1.
  const double half_sine = std::sin(imaginary / 2);
  const std::complex<double> one_minus(
      -std::expm1(real) * std::cos(imaginary) + 2 * half_sine * half_sine,
      -std::exp(real) * std::sin(imaginary));
  return -std::log(one_minus);
}

// P(Y = n) times e^(growth n), from the coefficients with positive n.
Complexes scaled_distribution(double arrivals, double batch, const Circle& circle) {
  Complexes values(circle.points);
  for (std::size_t j = 0; j < circle.points; ++j) {
    values[j] = log_factor(arrivals, batch, circle, j);
  }
  Eigen::FFT<double> transform;
  Complexes coefficients;
  transform.inv(coefficients, values);
  double sum = 0;
  for (std::size_t n = 0; n < circle.points; ++n) {
    const bool positive = n > 0 && n < circle.points / 2;
    if (!positive) coefficients[n] = 0;
    sum += coefficients[n].real() * std::exp(-circle.growth * static_cast<double>(n));
  }
  transform.fwd(values, coefficients);
  for (std::complex<double>& value : values) value = std::exp(value - sum);
  transform.inv(coefficients, values);
  return coefficients;
}

}  // namespace

std::optional<std::vector<double>> left_over_distribution(double arrivals_per_service,
                                                          std::uint32_t batch_max) {
  if (!bulk_service(arrivals_per_service, batch_max)) return {};
  if (arrivals_per_service == 0) return std::vector<double>{1.0};
  const double decay = tail_decay(arrivals_per_service / batch_max);
  // Halfway to the singularity, coefficients fall by e^(-decay / 2) to both sides; e^-40 at N / 2.
  constexpr double kPointsMax = 1 << 22;
  const double wanted = 160 / decay + 64;
  if (wanted > kPointsMax) return {};
  const Circle circle{.growth = decay / 2,
                      .points = std::bit_ceil(static_cast<std::size_t>(wanted))};
  const Complexes scaled = scaled_distribution(arrivals_per_service, batch_max, circle);
  std::vector<double> left;
  double rest = 1;
  for (std::size_t n = 0; n < circle.points / 2 && rest > 1e-15; ++n) {
    const double value = scaled[n].real() * std::exp(-circle.growth * static_cast<double>(n));
    left.push_back(std::max(value, 0.0));
    rest -= left.back();
  }
  return left;
}

}  // namespace photon::analysis::theory
