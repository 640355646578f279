#include "analysis/optimisation/evaluated_points.h"

#include <vector>

#include "analysis/sensitivity/designs.h"
#include "tests/support/catch.h"

namespace photon::analysis {

TEST_CASE(
    "a point is exhausted by its repetitions, or by one evaluation whose figures have no noise") {
  const SearchSpace space({2, 2});
  const SearchPoint noisy{0.25, 0.25}, half{0.25, 0.75}, exact{0.75, 0.25}, other{0.75, 0.75};
  Exhausted exhausted(
      space,
      std::vector<ObjectivesObservation>{
          {{0.1, 0.1}, {1, 1}, {1, 1}}, {{0.2, 0.6}, {1, 1}, {0, 1}}, {{0.9, 0.3}, {1, 1}, {0, 0}}},
      2);
  CHECK_FALSE(exhausted(noisy));
  CHECK_FALSE(exhausted(half));
  CHECK(exhausted(exact));
  CHECK_FALSE(exhausted(other));
  exhausted.add(noisy, 1);
  CHECK(exhausted(noisy));
  exhausted.add(other, 0);
  CHECK(exhausted(other));
}

TEST_CASE("the usual noise is the median") {
  CHECK(usual_noise(std::vector<Observation>{{{}, 0, 7}}) == 7);
  CHECK(usual_noise(std::vector<Observation>{{{}, 0, 1}, {{}, 0, 1e9}, {{}, 0, 2}}) == 2);
}

TEST_CASE("first points: twice the factors and six, or as many as asked for, two at the least") {
  CHECK(first_points_of(SearchSpace::of_reals(3), 0) == 12);
  CHECK(first_points_of(SearchSpace::of_reals(3), 5) == 5);
  CHECK(first_points_of(SearchSpace::of_reals(3), 1) == 2);
}

TEST_CASE("a first point repeats no known one; a space that has no other has none") {
  const SearchSpace space({3});
  std::vector<SearchPoint> known;
  while (const auto point = first_point(space, known, 1)) {
    REQUIRE(known.size() < 3);
    for (const SearchPoint& each : known) CHECK(each != *point);
    known.push_back(*point);
  }
  CHECK(known.size() == 3);
}

}  // namespace photon::analysis
