#include "analysis/optimisation/search_space.h"

#include <cmath>
#include <cstddef>

#include "analysis/sensitivity/designs.h"
#include "tests/support/catch.h"

namespace photon::analysis {

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

}  // namespace photon::analysis
