// Functions of the unit cube whose sensitivities are known.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "analysis/sensitivity/designs.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"

namespace photon::analysis {

// sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 over [-pi, pi]^3 (Ishigami and Homma, 1990).
struct Ishigami {
  static constexpr std::size_t kFactors = 3;

  static double at(const std::vector<double>& row) {
    const auto angle = [&](std::size_t i) { return std::numbers::pi * (2 * row[i] - 1); };
    const double sine = std::sin(angle(0)), second = std::sin(angle(1));
    return sine + 7 * second * second + 0.1 * std::pow(angle(2), 4) * sine;
  }

  // The parts of its variance: of x1 and x2 alone, of x1 and x3 together.
  static double of_first() { return std::pow(1 + 0.1 * fourth() / 5, 2) / 2; }
  static constexpr double of_second() { return 49.0 / 8; }
  static double of_first_and_third() { return 0.01 * fourth() * fourth() * 8 / 225; }
  static double variance() { return of_first() + of_second() + of_first_and_third(); }

  static std::array<double, 3> first() {
    return {of_first() / variance(), of_second() / variance(), 0};
  }
  static std::array<double, 3> total() {
    return {(of_first() + of_first_and_third()) / variance(), of_second() / variance(),
            of_first_and_third() / variance()};
  }

 private:
  static double fourth() { return std::pow(std::numbers::pi, 4); }
};

// Sobol's g-function: the product of (|4 x - 2| + a) / (1 + a). The smaller a, the more it matters.
struct SobolG {
  std::vector<double> a;

  double at(const std::vector<double>& row) const {
    double product = 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
      product *= (std::fabs(4 * row[i] - 2) + a[i]) / (1 + a[i]);
    }
    return product;
  }
  double variance() const {
    double product = 1;
    for (std::size_t i = 0; i < a.size(); ++i) product *= 1 + alone(i);
    return product - 1;
  }
  double first(std::size_t i) const { return alone(i) / variance(); }
  double total(std::size_t i) const {
    return alone(i) * (1 + variance()) / (1 + alone(i)) / variance();
  }

 private:
  double alone(std::size_t i) const { return 1 / (3 * (1 + a[i]) * (1 + a[i])); }
};

// Morris' function of 20 factors (Technometrics 33, 1991, section 4), with the small coefficients
// that he drew at random as +-1: the first seven factors are curved or interact, the next three are
// linear, the last ten matter little.
struct Morris20 {
  static constexpr std::size_t kFactors = 20;

  static double at(const std::vector<double>& row) {
    std::array<double, kFactors> w{};
    for (std::size_t i = 0; i < kFactors; ++i) {
      const bool curved = i == 2 || i == 4 || i == 6;
      w[i] = 2 * (curved ? 1.1 * row[i] / (row[i] + 0.1) - 0.5 : row[i] - 0.5);
    }
    double sum = 0;
    for (std::size_t i = 0; i < kFactors; ++i) {
      sum += (i < 10 ? 20.0 : sign(i + 1)) * w[i];
      for (std::size_t j = i + 1; j < kFactors; ++j) {
        sum += (j < 6 ? -15.0 : sign(i + j)) * w[i] * w[j];
        for (std::size_t l = j + 1; l < 5; ++l) {
          sum -= 10 * w[i] * w[j] * w[l];
          for (std::size_t s = l + 1; s < 4; ++s) sum += 5 * w[i] * w[j] * w[l] * w[s];
        }
      }
    }
    return sum;
  }

 private:
  static double sign(std::size_t n) { return n % 2 == 0 ? 1.0 : -1.0; }
};

// The function at each row, plus normal noise of its own.
template <class Function>
std::vector<double> figures_at(const Rows& rows, const Function& function, std::uint64_t seed = 0,
                               double noise = 0) {
  const RandomStream stream(seed, Purpose::test, 7);
  std::vector<double> figures;
  for (const std::vector<double>& row : rows) {
    const double drawn =
        noise > 0 ? normal_quantile(unit_interval(stream.word(figures.size()))) : 0;
    figures.push_back(function.at(row) + noise * drawn);
  }
  return figures;
}

}  // namespace photon::analysis
