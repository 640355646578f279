// Designs: what each promises of its points, and that they never change.
#include "analysis/sensitivity/designs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

// How many of `strata` equal parts of [0, 1) have a value of that factor, and each one only.
std::size_t strata_hit(const Rows& rows, std::size_t factor, std::size_t strata) {
  std::set<std::size_t> hit;
  for (const std::vector<double>& row : rows) {
    REQUIRE(row[factor] >= 0);
    REQUIRE(row[factor] < 1);
    hit.insert(static_cast<std::size_t>(row[factor] * static_cast<double>(strata)));
  }
  return hit.size();
}

}  // namespace

TEST_CASE("designs: a Latin hypercube has a point in each stratum of each factor") {
  for (const std::size_t size : {1U, 7U, 64U, 100U}) {
    const Rows rows = latin_hypercube(size, 12, 5);
    REQUIRE(rows.size() == size);
    for (std::size_t factor = 0; factor < 12; ++factor) {
      CHECK(strata_hit(rows, factor, size) == size);
    }
  }
  // Orders of their own: two factors do not follow each other.
  const Rows rows = latin_hypercube(1000, 2, 9);
  double products = 0;
  for (const auto& row : rows) products += (row[0] - 0.5) * (row[1] - 0.5) * 12;
  CHECK(std::fabs(products / 1000) < 0.1);
}

TEST_CASE("designs: 2^m scrambled Sobol' points have one in each of 2^m strata of every factor") {
  for (const std::uint64_t seed : {1U, 2U, 99U}) {
    for (const std::size_t size : {16U, 256U}) {
      const Rows rows = sobol_points(size, 40, seed);
      for (std::size_t factor = 0; factor < 40; ++factor) {
        CHECK(strata_hit(rows, factor, size) == size);
      }
    }
  }
}

// A (0, m, 2)-net in base 2: each of its elementary rectangles has one point.
TEST_CASE("designs: the first two factors of 2^m Sobol' points fill every elementary rectangle") {
  constexpr std::size_t kBits = 8, kSize = 1U << kBits;
  const Rows rows = sobol_points(kSize, 2, 7);
  for (std::size_t bits = 0; bits <= kBits; ++bits) {
    const double wide = std::ldexp(1.0, static_cast<int>(bits));
    const double high = std::ldexp(1.0, static_cast<int>(kBits - bits));
    std::set<std::pair<std::size_t, std::size_t>> hit;
    for (const auto& row : rows) {
      hit.emplace(static_cast<std::size_t>(row[0] * wide), static_cast<std::size_t>(row[1] * high));
    }
    CHECK(hit.size() == kSize);
  }
}

TEST_CASE("designs: they depend on the seed, and on nothing else") {
  CHECK(sobol_points(8, 3, 1) == sobol_points(8, 3, 1));
  CHECK(sobol_points(8, 3, 1) != sobol_points(8, 3, 2));
  CHECK(latin_hypercube(8, 3, 1) != latin_hypercube(8, 3, 2));
  CHECK(random_points(8, 3, 1) != random_points(8, 3, 2));
  // A longer design begins with the shorter one.
  const Rows more = sobol_points(16, 3, 1);
  CHECK(Rows(more.begin(), more.begin() + 8) == sobol_points(8, 3, 1));
}

}  // namespace photon::analysis::testing
