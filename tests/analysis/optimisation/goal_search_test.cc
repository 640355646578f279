// Searches for a goal: several objectives under bounds, several points at a time, and which points
// are worth a confirmation.
#include "analysis/optimisation/goal_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// Two objectives that are against each other along the first factor, and both worse with the
// second; a bound keeps the first factor above 0.3.
ObjectivesObservation evaluated(const SearchPoint& point) {
  return {
      point, {point[0] + point[1], 1 - point[0] + point[1], 0.3 - point[0]}, {1e-6, 1e-6, 1e-6}};
}

const SearchGoal kGoal{.objectives = 2, .bounds = {0}};

std::vector<ObjectivesObservation> searched(std::size_t evaluations, std::size_t together) {
  const SearchSpace space = SearchSpace::of_reals(2);
  std::vector<ObjectivesObservation> known;
  while (known.size() < evaluations) {
    const auto next =
        next_goal_points(space, known, kGoal, together, {.first_points = 8, .most_repetitions = 1});
    REQUIRE_FALSE(next.empty());
    for (const SearchPoint& point : next) known.push_back(evaluated(point));
  }
  return known;
}

}  // namespace

TEST_CASE("a search for a front under a bound comes near it, and spreads over it") {
  for (const std::size_t together : {1U, 4U}) {
    CAPTURE(together);
    const auto known = searched(32, together);
    const auto chosen = goal_candidates(SearchSpace::of_reals(2), known, kGoal, 4);
    REQUIRE(chosen.size() == 4);
    double low = 1, high = 0;
    for (const std::size_t each : chosen) {
      const SearchPoint& point = known[each].point;
      CHECK(point[0] > 0.29);
      CHECK(point[1] < 0.05);  // a second factor above zero is waste
      low = std::min(low, point[0]);
      high = std::max(high, point[0]);
    }
    CHECK(known[chosen.front()].point[0] == low);  // the first objective's best is the first
    CHECK(low < 0.4);
    CHECK(high > 0.9);
  }
}

TEST_CASE("points that are evaluated side by side are different ones") {
  const auto known = searched(16, 4);
  const auto next = next_goal_points(SearchSpace::of_reals(2), known, kGoal, 6,
                                     {.first_points = 8, .most_repetitions = 1});
  REQUIRE(next.size() == 6);
  const std::set<SearchPoint> distinct(next.begin(), next.end());
  CHECK(distinct.size() == 6);
  for (const ObjectivesObservation& each : known) CHECK_FALSE(distinct.contains(each.point));
}

TEST_CASE("a search ends when every point of its space is evaluated") {
  const SearchSpace space({2, 3});
  std::vector<ObjectivesObservation> known;
  for (;;) {
    const auto next =
        next_goal_points(space, known, {}, 4, {.first_points = 3, .most_repetitions = 1});
    if (next.empty()) break;
    REQUIRE(known.size() < 6);
    for (const SearchPoint& point : next) known.push_back({point, {point[0]}, {0.01}});
  }
  CHECK(known.size() == 6);
}

TEST_CASE("candidates meet the bounds, the best first; if none does, the likeliest") {
  const SearchSpace space = SearchSpace::of_reals(1);
  std::vector<ObjectivesObservation> known;
  for (int i = 0; i < 10; ++i) {
    const double x = (i + 0.5) / 10;
    known.push_back({{x}, {x, 0.5 - x}, {1e-8, 1e-8}});  // the bound: x of at least 0.5 - bound
  }
  const auto chosen = goal_candidates(space, known, {.objectives = 1, .bounds = {0}}, 3);
  CHECK(chosen == std::vector<std::size_t>{5, 6, 7});
  const auto none = goal_candidates(space, known, {.objectives = 1, .bounds = {-2}}, 2);
  CHECK(none == std::vector<std::size_t>{9, 8});
}

}  // namespace photon::analysis
