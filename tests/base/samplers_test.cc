#include "core_impl/base/samplers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);

// Independent words with a fixed seed: every statistical bound below passes or fails permanently.
std::vector<std::uint64_t> words(std::size_t count, std::uint32_t entity) {
  const RandomStream stream(20240607, Purpose::test, entity);
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; out.size() < count; ++i) out.push_back(stream.word(i));
  return out;
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(const std::vector<double>& draws) {
  Moments out;
  for (const double draw : draws) out.mean += draw / static_cast<double>(draws.size());
  for (const double draw : draws) {
    out.variance += (draw - out.mean) * (draw - out.mean) / static_cast<double>(draws.size());
  }
  return out;
}

double quantile(std::vector<double> draws, double p) {
  const auto place = static_cast<std::size_t>(p * static_cast<double>(draws.size()));
  std::ranges::nth_element(draws, draws.begin() + static_cast<std::ptrdiff_t>(place));
  return draws[place];
}

double relative(double value, long double truth) {
  return static_cast<double>(std::abs((static_cast<long double>(value) - truth) / truth));
}

TEST_CASE("reproducible_log is within 1e-14 of the logarithm over the whole range") {
  double worst = 0;
  for (int exponent = -1021; exponent <= 1023; ++exponent) {
    for (double mantissa = 1; mantissa < 2; mantissa += 0.0173) {
      const double x = std::ldexp(mantissa, exponent);
      if (x != 1)
        worst =
            std::max(worst, relative(reproducible_log(x), std::log(static_cast<long double>(x))));
    }
  }
  // Near 1 the logarithm vanishes: relative error must hold there as well.
  for (double step = 1e-15; step < 0.1; step *= 3) {
    for (const double x : {1 - step, 1 + step}) {
      worst = std::max(worst, relative(reproducible_log(x), std::log(static_cast<long double>(x))));
    }
  }
  CHECK(worst < 1e-14);
  CHECK(reproducible_log(1) == 0);
}

TEST_CASE("reproducible_exp is within 1e-14 of the exponential on [-700, 700]") {
  double worst = 0;
  for (double x = -700; x <= 700; x += 0.0371) {
    worst = std::max(worst, relative(reproducible_exp(x), std::exp(static_cast<long double>(x))));
  }
  CHECK(worst < 1e-14);
  CHECK(reproducible_exp(0) == 1);
}

TEST_CASE("normal_quantile inverts the normal distribution") {
  for (const double p :
       {1e-15, 1e-9, 1e-4, 0.02424, 0.02426, 0.3, 0.5, 0.7, 0.97574, 0.97576, 0.9999}) {
    CAPTURE(p);
    const double x = normal_quantile(p);
    const double back = 0.5 * std::erfc(-x / std::sqrt(2.0));
    CHECK(relative(back, p) < 1e-7);
    if (p > 1e-10)
      CHECK(normal_quantile(1 - p) == Approx(-x).epsilon(1e-6));  // 1 - p is exact enough
  }
  CHECK(normal_quantile(0.5) == 0);
}

TEST_CASE("unit_interval never reaches an end, whatever the word") {
  CHECK(unit_interval(0) > 0);
  CHECK(unit_interval(~std::uint64_t{0}) < 1);
  CHECK(unit_interval(std::uint64_t{1} << 63U) == Approx(0.5));
}

TEST_CASE("J-S17 golden draws of every distribution") {
  struct Golden {
    std::uint64_t word;
    std::int64_t exponential, uniform, lognormal;
    std::uint32_t poisson_few, poisson_many;
  };
  constexpr Golden kGoldens[] = {
      {0, 36736800570, -5, 4487, 0, 532},
      {std::uint64_t{1} << 62U, 1386294361, 249996, 363587744, 2, 669},
      {std::uint64_t{1} << 63U, 693147181, 499998, 1000000000, 3, 679},
      {std::uint64_t{3} << 62U, 287682072, 749999, 2750367737, 5, 693},
      {~std::uint64_t{0}, 0, 1000000, 222861151548719, 29, 879},
      {0x123456789abcdef0, 2643511680, 71106, 110653830, 1, 685},
  };
  for (const Golden& golden : kGoldens) {
    CAPTURE(golden.word);
    CHECK(exponential(golden.word, kSecond).count() == golden.exponential);
    CHECK(uniform_duration(golden.word, Duration(-5), Duration(1000000)).count() == golden.uniform);
    CHECK(lognormal(golden.word, kSecond, 1.5).count() == golden.lognormal);
    CHECK(poisson(golden.word, 3.5) == golden.poisson_few);
    CHECK(poisson(golden.word, 700) == golden.poisson_many);
  }
}

TEST_CASE("exponential draws have the expected mean, variance and tail") {
  std::vector<double> draws;
  for (const auto word : words(200'000, 1)) {
    draws.push_back(static_cast<double>(exponential(word, kSecond).count()) / 1e9);
  }
  const Moments found = moments(draws);
  CHECK(found.mean == Approx(1).margin(4 / std::sqrt(200'000.0)));
  CHECK(found.variance == Approx(1).margin(0.03));
  CHECK(quantile(draws, 0.5) == Approx(std::log(2)).epsilon(0.02));
  CHECK(quantile(draws, 0.99) == Approx(std::log(100)).epsilon(0.02));
}

TEST_CASE("lognormal draws have the configured median and 99th percentile") {
  const Duration median = std::chrono::milliseconds(10);
  const Duration tail = std::chrono::milliseconds(80);
  const double sigma = lognormal_sigma(median, tail);
  std::vector<double> draws;
  for (const auto word : words(200'000, 2)) {
    draws.push_back(static_cast<double>(lognormal(word, median, sigma).count()));
  }
  CHECK(quantile(draws, 0.5) == Approx(10e6).epsilon(0.02));
  CHECK(quantile(draws, 0.99) == Approx(80e6).epsilon(0.04));
  CHECK(lognormal_sigma(median, median) == 0);
  CHECK(lognormal_sigma(Duration(0), tail) == 0);
}

TEST_CASE("uniform draws pass a chi-square test over 64 cells, ends included") {
  std::array<double, 64> cells{};
  constexpr double kDraws = 128'000;
  for (const auto word : words(static_cast<std::size_t>(kDraws), 3)) {
    ++cells[static_cast<std::size_t>(uniform_duration(word, Duration(0), Duration(63)).count())];
  }
  double chi_square = 0;
  for (const double count : cells) {
    const double expected = kDraws / 64;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  CHECK(chi_square < 103.4);  // the 99.9 % point with 63 degrees of freedom
  CHECK(uniform_duration(~std::uint64_t{0}, Duration(5), Duration(5)) == Duration(5));
}

TEST_CASE("Poisson counts pass a chi-square test and have equal mean and variance, in chunks too") {
  std::array<double, 12> cells{};  // the last one holds everything above
  constexpr double kDraws = 100'000;
  for (const auto word : words(static_cast<std::size_t>(kDraws), 4)) {
    ++cells[std::min<std::uint32_t>(poisson(word, 3.5), 11)];
  }
  double probability = std::exp(-3.5);
  double chi_square = 0;
  double rest = 1;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const double expected = kDraws * (k + 1 == cells.size() ? rest : probability);
    chi_square += (cells[k] - expected) * (cells[k] - expected) / expected;
    rest -= probability;
    probability *= 3.5 / static_cast<double>(k + 1);
  }
  CHECK(chi_square < 31.3);  // the 99.9 % point with 11 degrees of freedom

  for (const double mean : {64.0, 499.0, 1700.0}) {
    std::vector<double> draws;
    for (const auto word : words(20'000, 5)) draws.push_back(poisson(word, mean));
    const Moments found = moments(draws);
    CAPTURE(mean);
    CHECK(found.mean == Approx(mean).margin(4 * std::sqrt(mean / 20'000)));
    CHECK(found.variance == Approx(mean).epsilon(0.05));
  }
  CHECK(poisson(123, 0) == 0);
}

TEST_CASE("a chance occurs at its rate; 0 and 1 are certain") {
  const Chance chance(0.3);
  double happened = 0;
  for (const auto word : words(100'000, 6)) happened += chance.happens(word) ? 1 : 0;
  CHECK(happened / 100'000 == Approx(0.3).margin(0.006));
  CHECK_FALSE(Chance(0).happens(0));
  CHECK_FALSE(Chance(-1).possible());
  CHECK(Chance(1).happens(~std::uint64_t{0}));
  CHECK(Chance(7).happens(~std::uint64_t{0}));
}

}  // namespace
}  // namespace photon
