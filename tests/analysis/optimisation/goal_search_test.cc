// Searches for a goal: one objective, several objectives under bounds, several points at a time,
// and which points are worth a confirmation.
#include "analysis/optimisation/goal_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analysis/sensitivity/designs.h"
#include "tests/analysis/optimisation/test_functions.h"
#include "tests/analysis/optimisation/whole_search.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// A bowl whose smallest value is at (0.7, 0.3, ...).
double bowl(const SearchPoint& point) {
  double sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    sum += std::pow(point[i] - (i % 2 == 0 ? 0.7 : 0.3), 2);
  }
  return sum;
}

std::vector<ObjectivesObservation> searched_bowl(const WholeSearch& search, double deviation) {
  Noise noise(1, deviation);
  return search.of([&](const SearchPoint& point) {
    return ObjectivesObservation{point, {bowl(point) + noise()}, {noise.variance()}};
  });
}

std::map<SearchPoint, std::size_t> repetitions_of(const std::vector<ObjectivesObservation>& all) {
  std::map<SearchPoint, std::size_t> counts;
  for (const ObjectivesObservation& each : all) ++counts[each.point];
  return counts;
}

// Two objectives that are against each other along the first factor, and both worse with the
// second; a bound keeps the first factor above 0.3.
ObjectivesObservation evaluated(const SearchPoint& point) {
  return {
      point, {point[0] + point[1], 1 - point[0] + point[1], 0.3 - point[0]}, {1e-6, 1e-6, 1e-6}};
}

WholeSearch front_search(std::size_t evaluations, std::size_t together) {
  return {.space = SearchSpace::of_reals(2),
          .goal = {.objectives = 2, .bounds = {0}},
          .evaluations = evaluations,
          .together = together,
          .options = {.first_points = 8, .most_repetitions = 1}};
}

}  // namespace

TEST_CASE("a search begins with the Sobol' points of its seed") {
  for (const std::size_t together : {1U, 3U}) {
    const WholeSearch search{.space = SearchSpace::of_reals(2),
                             .evaluations = 7,
                             .together = together,
                             .options = {.first_points = 7, .seed = 3}};
    const auto evaluations = searched_bowl(search, 0.1);
    const Rows points = sobol_points(7, 2, 3);
    for (std::size_t i = 0; i < 7; ++i) {
      CHECK(evaluations[i].point == search.space.rounded(points[i]));
    }
  }
}

TEST_CASE("first points and points by models are never proposed together") {
  const auto space = SearchSpace::of_reals(2);
  const auto six = searched_bowl({.space = space, .evaluations = 6}, 0.05);
  const auto first = next_goal_points(space, six, {}, 8);
  const Rows points = sobol_points(10, 2, 1);
  REQUIRE(first.size() == 4);  // ten first points
  for (std::size_t i = 0; i < 4; ++i) CHECK(first[i] == space.rounded(points[6 + i]));
  CHECK(next_goal_points(SearchSpace({2, 2}), {}, {}, 3, {.first_points = 2}).size() == 2);
  CHECK(next_goal_points(space, six, {}, 0).empty());
}

TEST_CASE("a search without noise finds the bottom of a bowl, and repeats no point") {
  for (const std::size_t together : {1U, 4U}) {
    CAPTURE(together);
    const WholeSearch search{
        .space = SearchSpace::of_reals(4), .evaluations = 30, .together = together};
    const auto evaluations = searched_bowl(search, 0);
    const SearchPoint& best = search.best(evaluations);
    for (std::size_t factor = 0; factor < 4; ++factor) {
      CHECK(best[factor] == Approx(factor % 2 == 0 ? 0.7 : 0.3).margin(0.02));
    }
    CHECK(repetitions_of(evaluations).size() == evaluations.size());
  }
}

TEST_CASE("a step depends on nothing but the evaluations: an interrupted search goes on") {
  const WholeSearch search{.space = SearchSpace({0, 5}), .evaluations = 16};
  const auto whole = searched_bowl(search, 0.05);
  for (std::size_t done = 9; done < 16; ++done) {
    const std::span first(whole.data(), done);
    REQUIRE(search.next(first) == std::vector<SearchPoint>{whole[done].point});
  }
}

TEST_CASE("points of a lattice are proposed as often as allowed, then nothing") {
  WholeSearch search{.space = SearchSpace({3, 4}), .evaluations = 100};
  for (const std::size_t together : {1U, 5U}) {
    search.together = together;
    for (const std::size_t most : {1U, 3U}) {
      search.options.most_repetitions = most;
      const auto evaluations = searched_bowl(search, 0.05);
      CHECK(evaluations.size() == 12 * most);
      const auto counts = repetitions_of(evaluations);
      CHECK(counts.size() == 12);
      for (const auto& [point, count] : counts) CHECK(count == most);
    }
    CHECK(searched_bowl(search, 0).size() == 12);  // still with three repetitions
  }
  // All its points are among the first ones, which do not repeat each other.
  CHECK(repetitions_of(searched_bowl({.space = SearchSpace({2, 2}), .evaluations = 4}, 0.05))
            .size() == 4);
}

TEST_CASE("a point is repeated while any of its figures is noisy") {
  // Its objective is a cost without noise.
  const SearchSpace space({2, 3});
  for (const std::size_t together : {1U, 4U}) {
    const WholeSearch search{.space = space,
                             .goal = {.objectives = 1, .bounds = {0.4}},
                             .evaluations = 100,
                             .together = together,
                             .options = {.most_repetitions = 2}};
    Noise noise(1, 0.05);
    const auto evaluations = search.of([&](const SearchPoint& point) {
      return ObjectivesObservation{
          point, {point[0] + point[1], bowl(point) + noise()}, {0, noise.variance()}};
    });
    const auto counts = repetitions_of(evaluations);
    CHECK(counts.size() == 6);
    for (const auto& [point, count] : counts) CHECK(count == 2);
  }
}

TEST_CASE("the only point of a space is proposed as often as allowed, then nothing") {
  for (const auto& values : {std::vector<std::size_t>{1}, std::vector<std::size_t>{1, 1}}) {
    for (const std::size_t together : {1U, 4U}) {
      WholeSearch search{.space = SearchSpace(values), .evaluations = 100, .together = together};
      CHECK(searched_bowl(search, 0).size() == 1);
      CHECK(searched_bowl(search, 0.05).size() == 4);
      search.options.most_repetitions = 1;
      CHECK(searched_bowl(search, 0.05).size() == 1);
    }
  }
}

TEST_CASE("a search in a lattice comes near its best point before it has tried a tenth") {
  for (const std::size_t together : {1U, 5U}) {
    const WholeSearch search{
        .space = SearchSpace({20, 20, 0}), .evaluations = 35, .together = together};
    const auto evaluations = searched_bowl(search, 0.01);
    const SearchPoint& best = search.best(evaluations);
    CHECK(std::fabs(best[0] - 0.7) < 0.08);
    CHECK(std::fabs(best[1] - 0.3) < 0.08);
    CHECK(std::fabs(best[2] - 0.7) <= 0.1);
  }
}

TEST_CASE("points for evaluations side by side are different ones, and begin with the next one") {
  for (const std::size_t objectives : {1U, 2U}) {
    WholeSearch search = front_search(16, 4);
    search.goal = {.objectives = objectives, .bounds = {0}};
    const auto figures = [&](const SearchPoint& point) {
      ObjectivesObservation one = evaluated(point);
      if (objectives == 1) {
        one.values.erase(one.values.begin());
        one.noise_variances.pop_back();
      }
      return one;
    };
    const auto known = search.of(figures);
    const auto next = next_goal_points(search.space, known, search.goal, 6, search.options);
    REQUIRE(next.size() == 6);
    CHECK(next.front() ==
          next_goal_points(search.space, known, search.goal, 1, search.options).front());
    const std::set<SearchPoint> distinct(next.begin(), next.end());
    CHECK(distinct.size() == 6);
    for (const ObjectivesObservation& each : known) CHECK_FALSE(distinct.contains(each.point));
  }
}

TEST_CASE("each point of a step for a front weighs the objectives anew") {
  WholeSearch search = front_search(20, 4);
  const auto known = search.of(evaluated);
  double low = 1, high = 0;
  for (const SearchPoint& point :
       next_goal_points(search.space, known, search.goal, 8, search.options)) {
    low = std::min(low, point[0]);
    high = std::max(high, point[0]);
  }
  CHECK(high - low > 0.3);
}

TEST_CASE("a search for a front under a bound comes near it, and spreads over it") {
  for (const std::size_t together : {1U, 4U}) {
    CAPTURE(together);
    const WholeSearch search = front_search(32, together);
    const auto known = search.of(evaluated);
    REQUIRE(known.size() == 32);
    const auto chosen = goal_candidates(search.space, known, search.goal, 4);
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

TEST_CASE("steps of a search for a front follow the seed") {
  WholeSearch search{.space = SearchSpace::of_reals(2),
                     .goal = {.objectives = 2},
                     .evaluations = 12,
                     .options = {.seed = 4}};
  const auto known = search.of([](const SearchPoint& point) {
    const double a = point[0], b = point[1];
    return ObjectivesObservation{point, {a * a + b, (1 - a) * (1 - a) + b}, {0.001, 0.001}};
  });
  search.evaluations = 14;
  search.together = 2;
  const auto again = search.next(known);
  CHECK(again == search.next(known));
  search.options.seed = 5;
  const auto other = search.next(known);
  CHECK(again[0] != other[0]);
  CHECK(again[1] != other[1]);
}

TEST_CASE("the first candidate is not the luckiest evaluation") {
  const auto space = SearchSpace::of_reals(1);
  std::vector<ObjectivesObservation> evaluations;
  for (int i = 0; i < 20; ++i) {
    const SearchPoint point{(i + 0.5) / 20};
    evaluations.push_back({point, {bowl(point)}, {0.0001}});
  }
  evaluations.push_back({{0.1}, {-0.5}, {1}});  // noise of one, and much luck
  const auto chosen = goal_candidates(space, evaluations, {}, 1);
  CHECK(evaluations[chosen.front()].point[0] == Approx(0.7).margin(0.06));
}

TEST_CASE("noise alone makes no candidate for a front") {
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
  const auto chosen = goal_candidates(SearchSpace::of_reals(2), evaluations, {.objectives = 2}, 19);
  REQUIRE(chosen.size() == 6);
  for (const std::size_t each : chosen) CHECK(evaluations[each].point[1] == Approx(1.0 / 6));
}

TEST_CASE("a repeated point is one candidate, by its first evaluation") {
  const auto space = SearchSpace::of_reals(1);
  std::vector<ObjectivesObservation> evaluations;
  for (const double x : {0.7, 0.7, 0.2, 0.9}) evaluations.push_back({{x}, {bowl({x})}, {1e-4}});
  CHECK(goal_candidates(space, evaluations, {}, 4) == std::vector<std::size_t>{0, 3, 2});
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
