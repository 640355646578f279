// Searches under a bound, as the shipped search makes them.
#include "analysis/optimisation/bounded_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tests/analysis/optimisation/test_functions.h"
#include "tests/analysis/optimisation/whole_search.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// Cost x + y, where x y >= 0.25 is asked for: least at (0.5, 0.5), which costs 1.
ObjectivesObservation cost_and_shortfall(const SearchPoint& point, Noise& noise) {
  return {point,
          {point[0] + point[1] + noise(), 0.25 - point[0] * point[1] + noise()},
          {noise.variance(), noise.variance()}};
}

WholeSearch search_below(double bound, std::size_t evaluations, std::size_t together,
                         std::uint64_t seed) {
  return {.space = SearchSpace::of_reals(2),
          .goal = {.objectives = 1, .bounds = {bound}},
          .evaluations = evaluations,
          .together = together,
          .options = {.seed = seed}};
}

std::vector<ObjectivesObservation> evaluations_of(const WholeSearch& search, double deviation) {
  Noise noise(search.options.seed, deviation);
  return search.of([&](const SearchPoint& point) { return cost_and_shortfall(point, noise); });
}

}  // namespace

TEST_CASE("a search finds the cheapest point that meets a bound, in spite of noise") {
  for (const std::size_t together : {1U, 4U}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const WholeSearch search = search_below(0, 40, together, seed);
      const auto evaluations = evaluations_of(search, 0.01);
      REQUIRE(evaluations.size() == 40);
      const SearchPoint& point = search.best(evaluations);
      INFO(together << " together, seed " << seed << " at " << point[0] << ", " << point[1]);
      CHECK(point[0] + point[1] < 1.06);
      CHECK(0.25 - point[0] * point[1] < 0.01);
    }
  }
}

TEST_CASE("where no point is known to meet the bound a search looks for one") {
  for (const std::size_t together : {1U, 4U}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      // Only where x y > 0.9, which is less than a hundredth of the square.
      const WholeSearch search = search_below(-0.65, 25, together, seed);
      const auto evaluations = evaluations_of(search, 0);
      const SearchPoint& point = search.best(evaluations);
      INFO(together << " together, seed " << seed << " at " << point[0] << ", " << point[1]);
      CHECK(point[0] * point[1] >= 0.9);
      CHECK(point[0] + point[1] < 1.93);  // 1.897 at the best
    }
  }
}

TEST_CASE("a bound that nothing meets has the point that comes nearest") {
  const WholeSearch search = search_below(-0.9, 25, 1, 1);
  const auto evaluations = evaluations_of(search, 0);
  const SearchPoint& point = search.best(evaluations);
  CHECK(point[0] > 0.99);
  CHECK(point[1] > 0.99);
}

TEST_CASE("a point is chosen where improvement and the probability of the bound are largest") {
  // On a lattice the product can be compared at every point.
  const SearchSpace space({7, 7});
  WholeSearch search = search_below(0, 14, 1, 3);
  search.space = space;
  const auto evaluations = evaluations_of(search, 0.02);
  std::vector<SearchPoint> known;
  for (const auto& each : evaluations) known.push_back(each.point);
  const FigureModel cost(space, figure_of(evaluations, 0));
  const BoundedFigures bounded(space, evaluations, 1, {0.0});
  const Exhausted exhausted(space, evaluations, 2);
  const SearchPoint chosen = *next_bounded_point(space, cost, bounded, known, exhausted);
  double best = HUGE_VAL, least = 0;
  for (const SearchPoint& each : known) {
    if (bounded.log_probability(each) < std::log(0.5)) continue;
    const Prediction prediction = cost.predict(each);
    const double value = prediction.mean + std::sqrt(prediction.variance);
    if (value < best) least = prediction.mean;
    best = std::min(best, value);
  }
  REQUIRE(best < HUGE_VAL);
  // Huang's augmented expected improvement, from its definition.
  const auto promise = [&](const SearchPoint& point) {
    const Prediction prediction = cost.predict(point);
    const double deviation = std::sqrt(prediction.variance);
    const double z = (least - prediction.mean) / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
    const double noise = 0.02 * 0.02;
    return deviation * (z * below + density) *
           (1 - std::sqrt(noise / (noise + prediction.variance))) *
           std::exp(bounded.log_probability(point));
  };
  for (std::size_t x = 0; x < 7; ++x) {
    for (std::size_t y = 0; y < 7; ++y) {
      const SearchPoint point{space.middle_of(0, x), space.middle_of(1, y)};
      if (!exhausted(point)) CHECK(promise(point) <= promise(chosen) * (1 + 1e-9));
    }
  }
}

}  // namespace photon::analysis
