#include "analysis/optimisation/pareto_front.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/sensitivity/designs.h"
#include "tests/support/catch.h"

namespace photon::analysis {

TEST_CASE("a point dominates what is nowhere better and somewhere worse") {
  CHECK(dominates({1, 2}, {1, 3}));
  CHECK(dominates({1, 2}, {2, 3}));
  CHECK_FALSE(dominates({1, 2}, {1, 2}));
  CHECK_FALSE(dominates({1, 3}, {2, 2}));
}

TEST_CASE("a front is what nothing dominates, with equal points") {
  const std::vector<Objectives> points{{3, 1}, {2, 2}, {3, 3}, {1, 3}, {2, 2}, {1, 4}};
  CHECK(pareto_front(points) == std::vector<std::size_t>{0, 1, 3, 4});
  CHECK(pareto_front({}).empty());
}

TEST_CASE("every other point is dominated by one of the front, and none of the front is") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Rows points = random_points(60, 3, seed);
    // On a coarse grid, so that coordinates are often equal.
    for (Objectives& point : points) {
      for (double& each : point) each = static_cast<double>(static_cast<int>(each * 6));
    }
    const auto front = pareto_front(points);
    REQUIRE(!front.empty());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool beaten = std::ranges::any_of(
          front, [&](std::size_t other) { return dominates(points[other], points[i]); });
      REQUIRE(beaten != std::ranges::binary_search(front, i));
    }
  }
}

TEST_CASE("the dominated volume is that of the union of boxes") {
  CHECK(dominated_volume(std::vector<Objectives>{{1}, {3}}, {5}) == Approx(4));
  CHECK(dominated_volume(std::vector<Objectives>{{1, 3}, {2, 2}, {3, 1}}, {4, 4}) == Approx(6));
  CHECK(dominated_volume(std::vector<Objectives>{{1, 1}, {2, 2}, {0, 4}, {9, 0}}, {4, 4}) ==
        Approx(9));
  CHECK(dominated_volume({}, {4, 4}) == 0);
}

TEST_CASE("the dominated volume of three objectives is what random points fall into") {
  const Rows points = random_points(12, 3, 5);
  const Rows tried = sobol_points(1U << 15U, 3, 6);
  const auto inside = std::ranges::count_if(tried, [&](const std::vector<double>& at) {
    return std::ranges::any_of(points,
                               [&](const Objectives& point) { return dominates(point, at); });
  });
  const double share = static_cast<double>(inside) / static_cast<double>(tried.size());
  CHECK(dominated_volume(points, {1, 1, 1}) == Approx(share).margin(0.003));
}

}  // namespace photon::analysis
