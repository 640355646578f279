#include "analysis/theory/left_over.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/theory/bulk_service.h"
#include "analysis/theory/tail_decay.h"
#include "tests/support/catch.h"

namespace photon::analysis::theory {

TEST_CASE("Left over: the transform agrees with the roots of the embedded chain") {
  for (const std::uint32_t batch_max : {1U, 2U, 3U, 8U, 64U, 1000U, 4096U}) {
    for (const double load : {1e-6, 0.1, 0.5, 0.9, 0.99, 0.999}) {
      CAPTURE(batch_max, load);
      const double arrivals = load * batch_max;
      const auto left = left_over_distribution(arrivals, batch_max);
      const auto roots = bulk_service(arrivals, batch_max);
      REQUIRE(left);
      REQUIRE(roots);
      double mean = 0;
      for (std::size_t n = 0; n < left->size(); ++n) mean += static_cast<double>(n) * (*left)[n];
      CHECK(mean == Approx(roots->left_over_mean).epsilon(1e-8).margin(1e-8));
      CHECK(std::accumulate(left->begin(), left->end(), 0.0) == Approx(1).epsilon(1e-10));
      // No customer waits at an end of service if none was left over and none arrived.
      CHECK((*left)[0] * std::exp(-arrivals) ==
            Approx(roots->none_waits).epsilon(1e-8).margin(1e-15));
    }
  }
}

TEST_CASE("Left over: a stationary distribution reproduces itself") {
  constexpr double kArrivals = 5.5;
  constexpr std::size_t kBatch = 7;
  const auto left = left_over_distribution(kArrivals, kBatch);
  REQUIRE(left);
  std::vector<double> next(20, 0.0);
  for (std::size_t n = 0; n < left->size(); ++n) {
    double weight = std::exp(-kArrivals);
    for (std::size_t arrived = 0; arrived < 100; ++arrived) {
      const std::size_t waiting = n + arrived;
      const std::size_t after = waiting > kBatch ? waiting - kBatch : 0;
      if (after < next.size()) next[after] += (*left)[n] * weight;
      weight *= kArrivals / static_cast<double>(arrived + 1);
    }
  }
  for (std::size_t n = 0; n < next.size(); ++n) {
    CAPTURE(n);
    CHECK(next[n] == Approx((*left)[n]).margin(1e-12));
  }
}

TEST_CASE("Left over: the tail falls as its decay says") {
  const auto left = left_over_distribution(9, 10);
  REQUIRE(left);
  CHECK((*left)[41] / (*left)[40] == Approx(std::exp(-tail_decay(0.9))).epsilon(1e-6));
  for (const double load : {1e-9, 0.3, 0.9, 0.999999}) {
    CAPTURE(load);
    const double decay = tail_decay(load);
    CHECK(load * std::expm1(decay) == Approx(decay));
    CHECK(decay > 0);
  }
}

TEST_CASE("Left over: nothing without a steady state, or too near to its end") {
  CHECK_FALSE(left_over_distribution(2, 2));
  CHECK_FALSE(left_over_distribution(-1, 2));
  CHECK_FALSE(left_over_distribution(std::numeric_limits<double>::quiet_NaN(), 2));
  CHECK_FALSE(left_over_distribution(1 - 1e-6, 1));
  CHECK(left_over_distribution(0, 2)->size() == 1);
}

}  // namespace photon::analysis::theory
