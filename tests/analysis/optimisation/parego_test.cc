#include "analysis/optimisation/parego.h"

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

TEST_CASE("noise alone puts no point on the predicted front") {
  // Both objectives depend on one factor, in opposite directions; the other is wasted.
  std::vector<ObjectivesObservation> evaluations;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double along = (i + 0.5) / 6, waste = (j + 0.5) / 3;
      evaluations.push_back({{along, waste}, {along + waste, 1 - along + waste}, {1e-6, 1e-6}});
    }
  }
  // A bad point that was lucky once: its noise is known to be large.
  evaluations.push_back({{0.5, 0.9}, {-1, -1}, {4, 4}});
  const auto front = predicted_front(SearchSpace::of_reals(2), evaluations);
  REQUIRE(front.size() == 6);
  for (const FrontPoint& each : front) {
    CHECK(evaluations[each.evaluation].point[1] == Approx(1.0 / 6));
    CHECK(each.predictions.size() == 2);
  }
}

TEST_CASE("steps of a search for a front follow the seed") {
  const auto space = SearchSpace::of_reals(2);
  std::vector<ObjectivesObservation> evaluations;
  while (evaluations.size() < 12) {
    const auto point = next_pareto_point(space, evaluations, {.seed = 4});
    REQUIRE(point);
    const double a = (*point)[0], b = (*point)[1];
    evaluations.push_back({*point, {a * a + b, (1 - a) * (1 - a) + b}, {0.001, 0.001}});
  }
  const auto again = next_pareto_point(space, evaluations, {.seed = 4});
  CHECK(again == next_pareto_point(space, evaluations, {.seed = 4}));
  CHECK(again != next_pareto_point(space, evaluations, {.seed = 5}));
}

}  // namespace photon::analysis
