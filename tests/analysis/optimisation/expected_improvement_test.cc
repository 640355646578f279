#include "analysis/optimisation/expected_improvement.h"

#include <cmath>
#include <numbers>

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// The expectation by the trapezium rule over the normal density.
double by_integration(const Prediction& prediction, double best) {
  const double deviation = prediction.standard_deviation();
  constexpr int kSteps = 200'000;
  const double low = prediction.mean - 12 * deviation;
  if (best <= low) return 0;
  const double step = (best - low) / kSteps;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double value = low + (i + 0.5) * step;
    const double z = (value - prediction.mean) / deviation;
    sum += (best - value) * std::exp(-z * z / 2);
  }
  return sum * step / (deviation * std::sqrt(2 * std::numbers::pi));
}

}  // namespace

TEST_CASE("the expected improvement is the integral that defines it") {
  for (const double mean : {-3.0, 0.0, 0.9, 1.0, 4.0, 9.0}) {
    for (const double variance : {0.01, 1.0, 25.0}) {
      const Prediction prediction{mean, variance};
      const double exact = by_integration(prediction, 1);
      if (exact < 1e-25) continue;
      CHECK(std::exp(log_expected_improvement(prediction, 1)) == Approx(exact).epsilon(1e-5));
    }
  }
}

TEST_CASE("far from any improvement its logarithm still tells better from worse") {
  double before = log_expected_improvement({1, 1}, 0);
  for (double mean = 1.01; mean < 2000; mean *= 1.01) {
    const double now = log_expected_improvement({mean, 1}, 0);
    REQUIRE(std::isfinite(now));
    REQUIRE(now < before);
    before = now;
  }
  CHECK(std::exp(log_expected_improvement({1000, 1}, 0)) == 0);
  // Where its formula changes: its slope there is about the distance.
  const double step =
      log_expected_improvement({9.9999, 1}, 0) - log_expected_improvement({10.0001, 1}, 0);
  CHECK(step == Approx(0.0002 * 10.2).epsilon(0.05));
}

TEST_CASE("more uncertainty and a smaller mean improve more") {
  CHECK(log_expected_improvement({2, 4}, 1) > log_expected_improvement({2, 1}, 1));
  CHECK(log_expected_improvement({1.5, 1}, 1) > log_expected_improvement({2, 1}, 1));
}

TEST_CASE("what is certain improves by what it is better") {
  CHECK(log_expected_improvement({2, 0}, 5) == Approx(std::log(3)));
  CHECK(log_expected_improvement({5, 0}, 5) == -HUGE_VAL);
  CHECK(log_expected_improvement({6, 0}, 5) == -HUGE_VAL);
}

TEST_CASE("noise takes improvement from what is known, and none without noise") {
  const Prediction prediction{1.2, 0.49};
  const double plain = log_expected_improvement(prediction, 1);
  CHECK(log_augmented_improvement(prediction, 1, 0) == plain);
  const double factor = 1 - std::sqrt(0.25 / (0.49 + 0.25));
  CHECK(log_augmented_improvement(prediction, 1, 0.25) == Approx(plain + std::log(factor)));
  // 1 - (1 + v / n)^(-1/2) = v / 2n - 3/8 (v / n)^2 + ..., which is below the precision of 1 here.
  for (const double noise_variance : {1e2, 1e6, 1e12}) {
    const Prediction known{1.2, 1e-12};
    const double lost = log_augmented_improvement(known, 1.2, noise_variance) -
                        log_expected_improvement(known, 1.2);
    CHECK(lost == Approx(std::log(0.5 * 1e-12 / noise_variance)).epsilon(1e-12));
  }
  CHECK(log_augmented_improvement({1.2, 0}, 1, 1) == -HUGE_VAL);
}

TEST_CASE("the probability of meeting a bound") {
  CHECK(log_probability_below({0, 4}, 0) == Approx(std::log(0.5)));
  CHECK(log_probability_below({0, 4}, 2 * 1.959964) == Approx(std::log(0.975)).epsilon(1e-5));
  CHECK(log_probability_below({3, 0}, 3) == 0);
  CHECK(log_probability_below({3, 0}, 2.9) == -HUGE_VAL);
  CHECK(log_probability_below({0, 1}, -9.99) == Approx(-53.130354).margin(1e-5));
  CHECK(log_probability_below({0, 1}, -10.01) == Approx(-53.332316).margin(1e-5));
  CHECK(log_probability_below({0, 1}, -1e4) < log_probability_below({0, 1}, -0.9e4));
}

}  // namespace photon::analysis
