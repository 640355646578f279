#include "analysis/optimisation/scalarisation.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis {

TEST_CASE("weights are positive, have the sum one and are evenly spread") {
  constexpr std::uint64_t kSteps = 4000;
  double first = 0, square = 0;
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    const auto weights = scalarisation_weights(3, 5, step);
    REQUIRE(weights.size() == 3);
    for (const double weight : weights) REQUIRE(weight >= 0);
    REQUIRE(std::accumulate(weights.begin(), weights.end(), 0.0) == Approx(1));
    first += weights[0] / kSteps;
    square += weights[2] * weights[2] / kSteps;
  }
  // Of a uniform point of a triangle: E w = 1/3, E w^2 = 1/6, with variances 1/18 and 7/180.
  CHECK(first == Approx(1.0 / 3).margin(4 * std::sqrt(1.0 / 18 / kSteps)));
  CHECK(square == Approx(1.0 / 6).margin(4 * std::sqrt(7.0 / 180 / kSteps)));
  CHECK(scalarisation_weights(3, 5, 1) == scalarisation_weights(3, 5, 1));
  CHECK(scalarisation_weights(3, 5, 1) != scalarisation_weights(3, 6, 1));
  CHECK(scalarisation_weights(1, 5, 1) == std::vector<double>{1});
}

TEST_CASE("a scalarisation worked by hand") {
  const std::vector<ObjectivesObservation> evaluations{
      {{0.1}, {10, 300}, {1, 100}}, {{0.5}, {20, 100}, {1, 100}}, {{0.9}, {15, 150}, {4, 100}}};
  const auto all = scalarised(evaluations, std::vector<double>{0.4, 0.6});
  // Objectives go from 10 to 20 and from 100 to 300: (0, 1), (1, 0), (0.5, 0.25).
  CHECK(all[0].value == Approx(0.6 + 0.05 * 0.6));
  CHECK(all[1].value == Approx(0.4 + 0.05 * 0.4));
  CHECK(all[2].value == Approx(0.2 + 0.05 * (0.2 + 0.15)));
  CHECK(all[2].point == SearchPoint{0.9});
  // The first term is the largest of the last point.
  const double slope = 0.4 / 10 * 1.05, other = 0.6 / 200 * 0.05;
  CHECK(all[2].noise_variance == Approx(slope * slope * 4 + other * other * 100));
}

TEST_CASE("a better point has the smaller scalarisation, whatever the weights") {
  const std::vector<ObjectivesObservation> evaluations{
      {{0.1}, {1, 2, 3}, {0, 0, 0}}, {{0.5}, {1, 2, 4}, {0, 0, 0}}, {{0.9}, {5, 0, 9}, {0, 0, 0}}};
  for (std::uint64_t step = 0; step < 100; ++step) {
    const auto all = scalarised(evaluations, scalarisation_weights(3, 1, step));
    REQUIRE(all[0].value < all[1].value);
  }
}

TEST_CASE("an objective that is the same everywhere takes no part") {
  const std::vector<ObjectivesObservation> evaluations{{{0.1}, {1, 7}, {0, 0}},
                                                       {{0.5}, {2, 7}, {0, 0}}};
  const auto all = scalarised(evaluations, std::vector<double>{0.5, 0.5});
  CHECK(all[0].value == 0);
  CHECK(all[1].value == Approx(0.5 * 1.05));
}

TEST_CASE("figures after those with weights take no part") {
  const std::vector<ObjectivesObservation> evaluations{{{0.1}, {1, 7, 3}, {0.1, 0.2, 9}},
                                                       {{0.5}, {2, 5, -8}, {0.1, 0.2, 9}}};
  std::vector<ObjectivesObservation> without = evaluations;
  for (ObjectivesObservation& each : without) {
    each.values.pop_back();
    each.noise_variances.pop_back();
  }
  const std::vector<double> weights{0.3, 0.7};
  const auto one = scalarised(evaluations, weights), other = scalarised(without, weights);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(one[i].value == other[i].value);
    CHECK(one[i].noise_variance == other[i].noise_variance);
  }
}

}  // namespace photon::analysis
