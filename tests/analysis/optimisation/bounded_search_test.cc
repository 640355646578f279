#include "analysis/optimisation/bounded_search.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/analysis/optimisation/test_functions.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// Cost x + y, where x y >= 0.25 is asked for: least at (0.5, 0.5), which costs 1.
ObjectivesObservation cost_and_shortfall(const SearchPoint& point, Noise& noise) {
  return {point,
          {point[0] + point[1] + noise(), 0.25 - point[0] * point[1] + noise()},
          {noise.variance(), noise.variance()}};
}

std::vector<ObjectivesObservation> searched_below(double bound, std::size_t evaluations,
                                                  std::uint64_t seed, double deviation) {
  const double bounds[] = {bound};
  Noise noise(seed, deviation);
  std::vector<ObjectivesObservation> all;
  while (all.size() < evaluations) {
    const auto next = next_bounded_point(SearchSpace::of_reals(2), all, bounds, {.seed = seed});
    all.push_back(cost_and_shortfall(*next, noise));
  }
  return all;
}

}  // namespace

TEST_CASE("a search finds the cheapest point that meets a bound, in spite of noise") {
  const double bounds[] = {0.0};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto evaluations = searched_below(0, 40, seed, 0.01);
    const auto best = best_bounded_point(SearchSpace::of_reals(2), evaluations, bounds, 0.9);
    const SearchPoint& point = evaluations[best.evaluation].point;
    INFO("seed " << seed << " at " << point[0] << ", " << point[1]);
    CHECK(point[0] + point[1] < 1.06);
    CHECK(0.25 - point[0] * point[1] < 0.01);
    CHECK(best.probability >= 0.9);
  }
}

TEST_CASE("where no point is known to meet the bound a search looks for one") {
  // Only where x y > 0.9, which is less than a hundredth of the square.
  const double bounds[] = {-0.65};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto evaluations = searched_below(-0.65, 25, seed, 0);
    const auto best = best_bounded_point(SearchSpace::of_reals(2), evaluations, bounds);
    const SearchPoint& point = evaluations[best.evaluation].point;
    CHECK(point[0] * point[1] >= 0.9);
    CHECK(point[0] + point[1] < 1.93);  // 1.897 at the best
  }
}

TEST_CASE("a bound that nothing meets has the point that comes nearest") {
  const double bounds[] = {-0.9};
  const auto evaluations = searched_below(-0.9, 25, 1, 0);
  const auto best = best_bounded_point(SearchSpace::of_reals(2), evaluations, bounds);
  CHECK(best.probability < 0.5);
  CHECK(evaluations[best.evaluation].point[0] > 0.99);
  CHECK(evaluations[best.evaluation].point[1] > 0.99);
}

TEST_CASE("without bounds a search is that of the first figure") {
  Noise noise(1, 0.01);
  std::vector<ObjectivesObservation> evaluations;
  std::vector<Observation> plain;
  const auto space = SearchSpace::of_reals(2);
  for (int i = 0; i < 14; ++i) {
    const SearchPoint point = *next_bounded_point(space, evaluations, {});
    REQUIRE(point == next_point(space, plain));
    const double value = std::pow(point[0] - 0.3, 2) + point[1] + noise();
    evaluations.push_back({point, {value}, {noise.variance()}});
    plain.push_back({point, value, noise.variance()});
  }
}

TEST_CASE("a bounded search of a lattice ends when its points are evaluated") {
  const SearchSpace space({2, 3});
  const double bounds[] = {0.0};
  Noise noise(1, 0);
  std::vector<ObjectivesObservation> evaluations;
  while (const auto next = next_bounded_point(space, evaluations, bounds)) {
    REQUIRE(evaluations.size() < 6);
    evaluations.push_back(cost_and_shortfall(*next, noise));
  }
  CHECK(evaluations.size() == 6);
}

}  // namespace photon::analysis
