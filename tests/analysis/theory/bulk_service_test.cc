#include "analysis/theory/bulk_service.h"

#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <boost/math/special_functions/gamma.hpp>

#include "tests/support/catch.h"

namespace photon::analysis::theory {
namespace {

double poisson_weight(double mean, int count) {
  return std::exp(count * std::log(mean) - mean - std::lgamma(count + 1.0));
}

// The chain of the header, cut off above: its stationary distribution by a linear system.
BulkService solve_chain(double arrivals, int batch_max, int states) {
  Eigen::MatrixXd balance = -Eigen::MatrixXd::Identity(states, states);
  for (int from = 0; from < states; ++from) {
    const int left = std::max(from - batch_max, 0);
    for (int to = left; to < states; ++to) balance(to, from) += poisson_weight(arrivals, to - left);
  }
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(states);
  balance.row(states - 1).setOnes();
  sums(states - 1) = 1;
  const Eigen::VectorXd waiting = balance.partialPivLu().solve(sums);
  BulkService result{.none_waits = waiting(0), .left_over_mean = 0};
  for (int x = batch_max; x < states; ++x) result.left_over_mean += (x - batch_max) * waiting(x);
  return result;
}

// Spitzer's identity for a random walk: E[Y] is the sum of E[(S_k - k B)+] / k, with S_k Poisson.
double left_over_by_spitzer(double arrivals, double batch_max) {
  double sum = 0;
  for (int k = 1; k < 200'000; ++k) {
    const double mean = k * arrivals;
    const double served = k * batch_max;
    // P(S >= n) is gamma_p(n, mean).
    const double term =
        mean * boost::math::gamma_p(served, mean) - served * boost::math::gamma_p(served + 1, mean);
    sum += term / k;
    if (term < 1e-13 * sum) break;
  }
  return sum;
}

}  // namespace

TEST_CASE("Bulk service: the roots give what a linear system of the embedded chain gives") {
  struct Row {
    double arrivals;
    int batch_max;
    int states;
  };
  constexpr Row kRows[] = {{0.5, 1, 80},  {0.1, 2, 60},  {1.6, 2, 250}, {2.5, 3, 300},
                           {4.0, 7, 120}, {6.3, 7, 400}, {18, 20, 500}};
  for (const Row& row : kRows) {
    CAPTURE(row.arrivals, row.batch_max);
    const BulkService solved = solve_chain(row.arrivals, row.batch_max, row.states);
    const auto roots = bulk_service(row.arrivals, static_cast<std::uint32_t>(row.batch_max));
    REQUIRE(roots);
    CHECK(roots->none_waits == Approx(solved.none_waits).epsilon(1e-9).margin(1e-15));
    CHECK(roots->left_over_mean == Approx(solved.left_over_mean).epsilon(1e-9).margin(1e-12));
  }
}

TEST_CASE(
    "Bulk service: what is left over agrees with Spitzer's identity, also for large batches") {
  for (const std::uint32_t batch_max : {1U, 2U, 5U, 64U, 1000U, 4096U}) {
    for (const double load : {0.3, 0.8, 0.9, 0.99}) {
      const double arrivals = load * batch_max;
      if (batch_max < 64 && load > 0.95) continue;  // the sum has 10^5 terms and more
      CAPTURE(batch_max, load);
      const auto roots = bulk_service(arrivals, batch_max);
      REQUIRE(roots);
      CHECK(roots->left_over_mean ==
            Approx(left_over_by_spitzer(arrivals, batch_max)).epsilon(1e-8).margin(1e-9));
    }
  }
}

TEST_CASE("Bulk service with batches of one is M/D/1 at its departures") {
  for (const double load : {0.0, 0.2, 0.9, 0.99999}) {
    CAPTURE(load);
    const auto single = bulk_service(load, 1);
    REQUIRE(single);
    CHECK(single->none_waits == Approx(1 - load).margin(1e-15));
    CHECK(single->left_over_mean == Approx(load * load / (2 * (1 - load))).margin(1e-12));
  }
}

TEST_CASE("Bulk service leaves none waiting when batches are far above the arrivals") {
  const auto wide = bulk_service(8, 4096);
  REQUIRE(wide);
  CHECK(wide->none_waits == Approx(std::exp(-8)).epsilon(1e-9));
  CHECK(wide->left_over_mean == Approx(0).margin(1e-9));
  CHECK(bulk_service(0, 4096)->none_waits == Approx(1));
}

TEST_CASE("Bulk service has a finite value next to saturation, and none from there on") {
  for (const std::uint32_t batch_max : {1U, 2U, 3U, 100U, 4096U}) {
    CAPTURE(batch_max);
    // Heavy traffic: the mean of Y tends to Var(A) / (2 (B - a)).
    const double spare = batch_max * 1e-7;
    const auto near = bulk_service(batch_max - spare, batch_max);
    REQUIRE(near);
    CHECK(near->left_over_mean == Approx(batch_max / (2 * spare)).epsilon(1e-3));
    CHECK(near->none_waits >= 0);  // e^-4096 is below the least number
    CHECK_FALSE(bulk_service(batch_max, batch_max));
    CHECK_FALSE(bulk_service(batch_max + 1.0, batch_max));
  }
  CHECK_FALSE(bulk_service(0, 0));
  CHECK_FALSE(bulk_service(-1, 2));
  CHECK_FALSE(bulk_service(std::numeric_limits<double>::quiet_NaN(), 2));
}

}  // namespace photon::analysis::theory
