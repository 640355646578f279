// Searches under a bound, as the shipped search makes them.
#include "analysis/optimisation/bounded_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "analysis/sensitivity/designs.h"
#include "tests/analysis/optimisation/test_functions.h"
#include "tests/analysis/optimisation/whole_search.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

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

// The cost at the point that improvement counts over; one point is likely to meet the bound.
double effective_least(const FigureModel& cost, const BoundedFigures& bounded,
                       const std::vector<SearchPoint>& known) {
  double best = HUGE_VAL, least = 0;
  for (const SearchPoint& each : known) {
    if (bounded.log_probability(each) < std::log(0.5)) continue;
    const Prediction prediction = cost.predict(each);
    const double value = prediction.mean + std::sqrt(prediction.variance);
    if (value < best) least = prediction.mean;
    best = std::min(best, value);
  }
  REQUIRE(best < HUGE_VAL);
  return least;
}

// Huang's, from its definition.
double augmented_improvement(const Prediction& prediction, double least, double noise) {
  const double deviation = std::sqrt(prediction.variance);
  const double z = (least - prediction.mean) / deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
  return deviation * (z * below + density) * (1 - noise / std::hypot(noise, deviation));
}

}  // namespace

TEST_CASE("a search finds the cheapest point that meets a bound, in spite of noise") {
  for (const std::size_t together : {1U, 4U}) {
    for (std::uint64_t seed = 1; seed <= photon::testing::effort(10); ++seed) {
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
  const SearchSpace space({15, 15});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    WholeSearch search = search_below(0, 14, 1, seed);
    search.space = space;
    auto evaluations = evaluations_of(search, 0.1);
    // A cost of which some points are hardly known: the smallest mean is not the effective best.
    Noise cost_of(seed + 100, 1);
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
      evaluations[i].values[0] = cost_of();
      evaluations[i].noise_variances[0] = i % 3 == 0 ? 1 : 0.05;
    }
    std::vector<SearchPoint> known;
    for (const auto& each : evaluations) known.push_back(each.point);
    const FigureModel cost(space, figure_of(evaluations, 0));
    const BoundedFigures bounded(space, evaluations, 1, {0.0});
    const Exhausted exhausted(space, evaluations, 2);
    const SearchPoint chosen = *next_bounded_point(space, cost, bounded, known, exhausted);
    const double least = effective_least(cost, bounded, known);
    const auto promise = [&](const SearchPoint& point) {
      return augmented_improvement(cost.predict(point), least, std::sqrt(cost.noise())) *
             std::exp(bounded.log_probability(point));
    };
    CAPTURE(seed);
    REQUIRE_FALSE(exhausted(chosen));
    double most = 0;
    for (std::size_t x = 0; x < 15; ++x) {
      for (std::size_t y = 0; y < 15; ++y) {
        const SearchPoint point{space.middle_of(0, x), space.middle_of(1, y)};
        if (!exhausted(point)) most = std::max(most, promise(point));
      }
    }
    CHECK(promise(chosen) == Approx(most).epsilon(1e-9));
  }
}

TEST_CASE("points side by side look for the bound at different places") {
  // The models expect no point to meet the bound: only doubt about the figure lets one be tried.
  std::vector<ObjectivesObservation> evaluations;
  for (const SearchPoint& point : sobol_points(12, 2, 4)) {
    const double hills = std::sin(9 * point[0]) * std::cos(9 * point[1]);
    evaluations.push_back({point, {point[0]}, {1e-4}});
    evaluations.back().values.push_back(hills);
    evaluations.back().noise_variances.push_back(1e-4);
  }
  const auto next =
      next_goal_points(SearchSpace::of_reals(2), evaluations, {.objectives = 1, .bounds = {-2}}, 4);
  REQUIRE(next.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      CHECK(std::hypot(next[i][0] - next[j][0], next[i][1] - next[j][1]) > 0.02);
    }
  }
}

}  // namespace photon::analysis
