// Functions of the unit cube whose minima are known.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "analysis/optimisation/search_space.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"

namespace photon::analysis {

// Dixon and Szego (1978). Three factors, four local minima; from kMinimum to 0.
struct Hartmann3 {
  static constexpr std::size_t kFactors = 3;
  static constexpr double kMinimum = -3.86278, kRange = 3.86278;

  static double at(const SearchPoint& point) {
    constexpr double kHeights[] = {1, 1.2, 3, 3.2};
    constexpr double kSlopes[][3] = {{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}};
    constexpr double kPlaces[][3] = {{0.3689, 0.1170, 0.2673},
                                     {0.4699, 0.4387, 0.7470},
                                     {0.1091, 0.8732, 0.5547},
                                     {0.0381, 0.5743, 0.8828}};
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      double exponent = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        exponent += kSlopes[i][j] * std::pow(point[j] - kPlaces[i][j], 2);
      }
      sum -= kHeights[i] * std::exp(-exponent);
    }
    return sum;
  }
};

// Dixon and Szego (1978). Two factors, three equal minima.
struct Branin {
  static constexpr std::size_t kFactors = 2;
  static constexpr double kMinimum = 0.397887, kRange = 308.13 - kMinimum;

  static double at(const SearchPoint& point) {
    constexpr double kPi = std::numbers::pi;
    const double x = 15 * point[0] - 5, y = 15 * point[1];
    const double bend = y - 5.1 / (4 * kPi * kPi) * x * x + 5 / kPi * x - 6;
    return bend * bend + 10 * (1 - 1 / (8 * kPi)) * std::cos(x) + 10;
  }
};

// Normal noise, another number each time.
class Noise {
 public:
  Noise(std::uint64_t seed, double deviation)
      : stream_(seed, Purpose::test, 9), deviation_(deviation) {}

  double operator()() { return deviation_ * normal_quantile(unit_interval(stream_.word(next_++))); }
  double variance() const { return deviation_ * deviation_; }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
  double deviation_;
};

}  // namespace photon::analysis
