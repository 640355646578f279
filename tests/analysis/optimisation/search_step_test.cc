#include "analysis/optimisation/search_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "analysis/sensitivity/designs.h"
#include "tests/analysis/optimisation/test_functions.h"
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

std::vector<Observation> searched(const SearchSpace& space, std::size_t evaluations, double noise,
                                  const SearchOptions& options = {}) {
  Noise drawn(1, noise);
  std::vector<Observation> all;
  while (all.size() < evaluations) {
    const auto next = next_point(space, all, options);
    if (!next) break;
    all.push_back({*next, bowl(*next) + drawn(), drawn.variance()});
  }
  return all;
}

std::map<SearchPoint, std::size_t> repetitions_of(const std::vector<Observation>& evaluations) {
  std::map<SearchPoint, std::size_t> counts;
  for (const Observation& each : evaluations) ++counts[each.point];
  return counts;
}

}  // namespace

TEST_CASE("rounded points are one spelling of each parameter") {
  const SearchSpace space({0, 4, 1});
  CHECK(space.rounded({0.5, 0.26, 0.9}) == SearchPoint{0.5, 0.375, 0.5});
  CHECK(space.rounded({-1, 2, 7}) == SearchPoint{0, 0.875, 0.5});
  CHECK(space.rounded({1, 0.75, 0})[0] < 1);
  for (std::size_t value = 0; value < 4; ++value) {
    CHECK(space.value_at(1, space.middle_of(1, value)) == value);
  }
  for (const SearchPoint& point : random_points(100, 3, 1)) {
    const SearchPoint once = space.rounded(point);
    REQUIRE(std::fabs(once[0] - point[0]) <= SearchSpace::kGrain);
    REQUIRE(space.value_at(1, once[1]) == space.value_at(1, point[1]));
    REQUIRE(space.rounded(once) == once);
  }
}

TEST_CASE("a search begins with the Sobol' points of its seed") {
  const auto space = SearchSpace::of_reals(2);
  const SearchOptions options{.first_points = 7, .seed = 3};
  const auto evaluations = searched(space, 7, 0.1, options);
  const Rows points = sobol_points(7, 2, 3);
  for (std::size_t i = 0; i < 7; ++i) CHECK(evaluations[i].point == space.rounded(points[i]));
}

TEST_CASE("a search without noise finds the bottom of a bowl") {
  const auto space = SearchSpace::of_reals(4);
  const auto evaluations = searched(space, 30, 0);
  const BestPoint best = best_point(space, evaluations);
  for (std::size_t factor = 0; factor < 4; ++factor) {
    CHECK(evaluations[best.evaluation].point[factor] ==
          Approx(factor % 2 == 0 ? 0.7 : 0.3).margin(0.02));
  }
  CHECK(repetitions_of(evaluations).size() == evaluations.size());
}

TEST_CASE("a step depends on nothing but the evaluations: an interrupted search goes on") {
  const SearchSpace space({0, 5});
  const auto whole = searched(space, 16, 0.05);
  for (std::size_t done = 9; done < 16; ++done) {
    const std::span first(whole.data(), done);
    REQUIRE(next_point(space, first) == whole[done].point);
  }
}

TEST_CASE("points of a lattice are proposed as often as allowed, then nothing") {
  const SearchSpace space({3, 4});
  for (const std::size_t most : {1U, 3U}) {
    const auto evaluations = searched(space, 100, 0.05, {.most_repetitions = most});
    CHECK(evaluations.size() == 12 * most);
    const auto counts = repetitions_of(evaluations);
    CHECK(counts.size() == 12);
    for (const auto& [point, count] : counts) CHECK(count == most);
  }
  CHECK(searched(space, 100, 0, {.most_repetitions = 3}).size() == 12);
  // All its points are among the first ones, which do not repeat each other.
  CHECK(repetitions_of(searched(SearchSpace({2, 2}), 4, 0.05)).size() == 4);
  CHECK(searched(SearchSpace({1}), 100, 0.05).size() == 4);
}

TEST_CASE("a search in a lattice comes near its best point before it has tried a tenth") {
  const SearchSpace space({20, 20, 0});
  const auto evaluations = searched(space, 35, 0.01);
  const SearchPoint& best = evaluations[best_point(space, evaluations).evaluation].point;
  CHECK(std::fabs(best[0] - 0.7) < 0.08);
  CHECK(std::fabs(best[1] - 0.3) < 0.08);
  CHECK(std::fabs(best[2] - 0.7) <= 0.1);
}

TEST_CASE(
    "several next points differ, begin with the next one, and are first points before a model") {
  const auto space = SearchSpace::of_reals(2);
  auto evaluations = searched(space, 14, 0.05);
  const auto four = next_points(space, evaluations, 4);
  REQUIRE(four.size() == 4);
  CHECK(four.front() == next_point(space, evaluations));
  CHECK(std::set<SearchPoint>(four.begin(), four.end()).size() == 4);

  evaluations.resize(6);
  const auto first = next_points(space, evaluations, 8);
  const Rows points = sobol_points(10, 2, 1);
  REQUIRE(first.size() == 4);  // ten first points
  for (std::size_t i = 0; i < 4; ++i) CHECK(first[i] == space.rounded(points[6 + i]));
  CHECK(next_points(SearchSpace({2, 2}), {}, 3, {.first_points = 2}).size() == 2);
}

TEST_CASE("the best point is not the luckiest evaluation") {
  const auto space = SearchSpace::of_reals(1);
  std::vector<Observation> evaluations;
  for (int i = 0; i < 20; ++i) {
    const SearchPoint point{(i + 0.5) / 20};
    evaluations.push_back({point, bowl(point), 0.0001});
  }
  evaluations.push_back({{0.1}, -0.5, 1});  // noise of one, and much luck
  const BestPoint best = best_point(space, evaluations);
  CHECK(evaluations[best.evaluation].point[0] == Approx(0.7).margin(0.06));
}

}  // namespace photon::analysis
