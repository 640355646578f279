// Distributions drawn from one random word, quantised to integers.
//
// Everything is computed with IEEE add, multiply and divide only (no libm), so a draw has the same
// bits at every optimisation level, on every compiler and with or without FMA in the C library
// (DESIGN 5). Values are pinned by golden vectors in tests/base/samplers_test.cc.
#pragma once

#include <cstdint>

#include "core_impl/base/time.h"

namespace photon {

// Natural logarithm of a normal x > 0 and exponential of |x| <= 700; relative error below 1e-14.
double reproducible_log(double x);
double reproducible_exp(double x);
// Inverse of the standard normal distribution function for p in (0, 1); relative error < 2e-9.
double normal_quantile(double p);

// Uniform in (0, 1), never an end point, 52 random bits.
double unit_interval(std::uint64_t word);

// A probability as a threshold: `happens(word)` is true with probability p (error < 2^-64).
class Chance {
 public:
  constexpr Chance() = default;
  explicit Chance(double probability);  // clamped to [0, 1]
  bool happens(std::uint64_t word) const { return certain_ || word < threshold_; }
  bool possible() const { return certain_ || threshold_ > 0; }
  friend bool operator==(const Chance&, const Chance&) = default;

 private:
  std::uint64_t threshold_ = 0;
  bool certain_ = false;
};

Duration exponential(std::uint64_t word, Duration mean);
Duration uniform_duration(std::uint64_t word, Duration low, Duration high);
// Lognormal with the given median; sigma is the standard deviation of the logarithm.
Duration lognormal(std::uint64_t word, Duration median, double sigma);
// The sigma that puts the 99th percentile of a lognormal with this median at `p99`.
double lognormal_sigma(Duration median, Duration p99);
// Poisson count by inversion in chunks; mean in [0, 1e6].
std::uint32_t poisson(std::uint64_t word, double mean);

}  // namespace photon
