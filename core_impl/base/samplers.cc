#include "core_impl/base/samplers.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"

namespace photon {
namespace {

constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kSqrtHalf = 0.70710678118654752440;

// 2^exponent for exponents in the normal range.
double power_of_two(int exponent) {
  PHOTON_CHECK(exponent > -1023 && exponent < 1024, "the exponent is that of a normal number");
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

Duration to_duration(double nanoseconds) {
  constexpr double kMost = 9.0e18;
  return Duration(static_cast<std::int64_t>(std::clamp(nanoseconds + 0.5, 0.0, kMost)));
}

// Newton's iteration; only exact operations, so the same bits everywhere.
double square_root(double x) {
  PHOTON_CHECK(x >= 0, "a square root is one of a number from zero");
  double guess = x > 1 ? x : 1.0;
  for (int i = 0; i < 64; ++i) {
    const double next = 0.5 * (guess + x / guess);
    if (next >= guess) break;
    guess = next;
  }
  return guess;
}

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (const double coefficient : coefficients) sum = sum * x + coefficient;
  return sum;
}

// 1 / n! from n = 14 down to 0: the Taylor series of exp, exact to the last bit for |x| < 0.35.
constexpr std::array<double, 15> kInverseFactorials = [] {
  std::array<double, 15> coefficients{};
  double factorial = 1;
  for (std::size_t n = 0; n < coefficients.size(); ++n) {
    if (n > 1) factorial *= static_cast<double>(n);
    coefficients[coefficients.size() - 1 - n] = 1 / factorial;
  }
  return coefficients;
}();

}  // namespace

double reproducible_log(double x) {
  PHOTON_CHECK(x > 0, "a logarithm is one of a positive number");
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>((bits >> 52U) & 0x7ffU) - 1022;
  double mantissa =
      std::bit_cast<double>((bits & 0x000fffffffffffffULL) | (std::uint64_t{1022} << 52U));
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  // log(m) = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.172.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  // square/3 + square^2/5 + ... + square^10/21, summed pairwise: short chains of dependent
  // operations.
  const double square2 = square * square;
  const double square4 = square2 * square2;
  const double low = (1.0 / 3 + square * (1.0 / 5)) + square2 * (1.0 / 7 + square * (1.0 / 9));
  const double middle =
      (1.0 / 11 + square * (1.0 / 13)) + square2 * (1.0 / 15 + square * (1.0 / 17));
  const double high = 1.0 / 19 + square * (1.0 / 21);
  const double series = square * ((low + square4 * middle) + (square4 * square4) * high);
  const double log_mantissa = 2 * s + 2 * s * series;
  return exponent * kLn2High + (exponent * kLn2Low + log_mantissa);
}

double reproducible_exp(double x) {
  const double scaled = x / (kLn2High + kLn2Low);
  const int k = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double remainder = (x - k * kLn2High) - k * kLn2Low;
  return polynomial(kInverseFactorials, remainder) * power_of_two(k / 2) * power_of_two(k - k / 2);
}

// Acklam's rational approximation.
double normal_quantile(double p) {
  PHOTON_CHECK(p > 0 && p < 1, "a quantile lies between zero and one");
  constexpr std::array<double, 6> kA{-3.969683028665376e+01, 2.209460984245205e+02,
                                     -2.759285104469687e+02, 1.383577518672690e+02,
                                     -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr std::array<double, 6> kB{-5.447609879822406e+01, 1.615858368580409e+02,
                                     -1.556989798598866e+02, 6.680131188771972e+01,
                                     -1.328068155288572e+01, 1.0};
  constexpr std::array<double, 6> kC{-7.784894002430293e-03, -3.223964580411365e-01,
                                     -2.400758277161838e+00, -2.549732539343734e+00,
                                     4.374664141464968e+00,  2.938163982698783e+00};
  constexpr std::array<double, 5> kD{7.784695709041462e-03, 3.224671290700398e-01,
                                     2.445134137142996e+00, 3.754408661907416e+00, 1.0};
  constexpr double kLow = 0.02425;
  if (p < kLow || p > 1 - kLow) {
    const double tail = square_root(-2 * reproducible_log(p < kLow ? p : 1 - p));
    const double value = polynomial(kC, tail) / polynomial(kD, tail);
    return p < kLow ? value : -value;
  }
  const double q = p - 0.5;
  const double r = q * q;
  return polynomial(kA, r) * q / polynomial(kB, r);
}

double unit_interval(std::uint64_t word) {
  // 52 bits, so that adding the half is exact and the result never rounds to 1.
  constexpr double kStep = 1.0 / 4503599627370496.0;  // 2^-52
  return (static_cast<double>(word >> 12U) + 0.5) * kStep;
}

Chance::Chance(double probability) : certain_(probability >= 1) {
  if (probability > 0 && !certain_) {
    threshold_ = static_cast<std::uint64_t>(probability * 18446744073709551616.0);
  }
}

Duration exponential(std::uint64_t word, Duration mean) {
  PHOTON_CHECK(mean >= Duration::zero(), "a mean time is not negative");
  return to_duration(-reproducible_log(unit_interval(word)) * static_cast<double>(mean.count()));
}

Duration uniform_duration(std::uint64_t word, Duration low, Duration high) {
  if (high <= low) return low;
  const auto span = static_cast<std::uint64_t>((high - low).count()) + 1;
  return low + Duration(static_cast<std::int64_t>(uniform_below(word, span)));
}

Duration lognormal(std::uint64_t word, Duration median, double sigma) {
  PHOTON_CHECK(median >= Duration::zero() && sigma >= 0,
               "a median time and a deviation are not negative");
  const double exponent = std::clamp(sigma * normal_quantile(unit_interval(word)), -700.0, 700.0);
  return to_duration(static_cast<double>(median.count()) * reproducible_exp(exponent));
}

double lognormal_sigma(Duration median, Duration p99) {
  constexpr double kQuantile99 = 2.3263478740408408;
  if (median.count() <= 0 || p99 <= median) return 0;
  return reproducible_log(static_cast<double>(p99.count()) / static_cast<double>(median.count())) /
         kQuantile99;
}

std::uint32_t poisson(std::uint64_t word, double mean) {
  constexpr double kChunk = 500;  // exp(-500) is still a normal number
  std::uint32_t count = 0;
  for (; mean > 0; mean -= kChunk, word = mix(word + 0x9e3779b97f4a7c15ULL)) {
    const double part = std::min(mean, kChunk);
    double term = reproducible_exp(-part);
    double cumulative = term;
    const double target = unit_interval(word);
    std::uint32_t k = 0;
    for (double before = -1; cumulative < target && (cumulative > before || k < part);) {
      ++k;
      term *= part / k;
      before = cumulative;
      cumulative += term;  // stands still when the rest of the tail is below the last bit
    }
    count += k;
  }
  return count;
}

}  // namespace photon
