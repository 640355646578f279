#include "analysis/sensitivity/designs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// True if of `parts` equal parts of [0, 1), and of as many values, each part has one.
bool one_in_each(const std::vector<std::size_t>& places, std::size_t parts) {
  std::vector<int> found(parts, 0);
  for (const std::size_t place : places) {
    if (place >= parts) return false;
    ++found[place];
  }
  return std::ranges::all_of(found, [](int count) { return count == 1; });
}

// Which of `parts` equal parts of [0, 1) holds the value.
std::size_t part_of(double value, std::size_t parts) {
  return static_cast<std::size_t>(value * static_cast<double>(parts));
}

std::vector<std::size_t> parts_of(const Rows& rows, std::size_t factor, std::size_t parts) {
  std::vector<std::size_t> places;
  for (const std::vector<double>& row : rows) places.push_back(part_of(row[factor], parts));
  return places;
}

}  // namespace

TEST_CASE("a Latin hypercube has one point in each stratum of each factor") {
  for (const std::size_t size : {1U, 2U, 7U, 100U, 1000U}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Rows rows = latin_hypercube(size, 5, seed);
      REQUIRE(rows.size() == size);
      for (std::size_t factor = 0; factor < 5; ++factor) {
        REQUIRE(one_in_each(parts_of(rows, factor, size), size));
      }
    }
  }
}

TEST_CASE("the largest Latin hypercube keeps every point in its stratum") {
  const Rows rows = latin_hypercube(kMostHypercubePoints, 1, 3);
  CHECK(one_in_each(parts_of(rows, 0, kMostHypercubePoints), kMostHypercubePoints));
}

TEST_CASE("points of a Latin hypercube lie all over their strata, factors in unrelated orders") {
  constexpr std::size_t kSize = 4000;
  const Rows rows = latin_hypercube(kSize, 2, 11);
  double inside = 0, product = 0;
  for (const std::vector<double>& row : rows) {
    inside += row[0] * kSize - std::floor(row[0] * kSize);
    product += (row[0] - 0.5) * (row[1] - 0.5);
  }
  CHECK(inside / kSize == Approx(0.5).margin(4 * std::sqrt(1.0 / 12 / kSize)));
  CHECK(product / kSize * 12 == Approx(0).margin(4 / std::sqrt(kSize)));
}

TEST_CASE("the first 2^m Sobol' points have one in each of 2^m strata of each of 40 factors") {
  for (const std::uint64_t seed : {0U, 1U, 2U, 77U}) {
    for (std::size_t size = 1; size <= 1024; size *= 2) {
      const Rows rows = sobol_points(size, 40, seed);
      for (std::size_t factor = 0; factor < 40; ++factor) {
        REQUIRE(one_in_each(parts_of(rows, factor, size), size));
      }
    }
  }
}

TEST_CASE("every later block of 2^m Sobol' points has one in each stratum as well") {
  const Rows rows = sobol_points(1024, 12, 5);
  for (std::size_t first = 0; first < 1024; first += 64) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
    const Rows block(begin, begin + 64);
    for (std::size_t factor = 0; factor < 12; ++factor) {
      REQUIRE(one_in_each(parts_of(block, factor, 64), 64));
    }
  }
}

TEST_CASE("the first two factors of Sobol' points are a (0, m, 2)-net") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (std::size_t size = 2; size <= 1024; size *= 2) {
      const Rows rows = sobol_points(size, 2, seed);
      for (std::size_t wide = 1; wide <= size; wide *= 2) {
        const std::size_t high = size / wide;
        std::vector<std::size_t> boxes;
        for (const std::vector<double>& row : rows) {
          boxes.push_back(part_of(row[0], wide) * high + part_of(row[1], high));
        }
        REQUIRE(one_in_each(boxes, size));
      }
    }
  }
}

TEST_CASE("scrambled digits are random: each point alone is uniform, also beyond 2^m strata") {
  // The first point of the unscrambled sequence is the origin; over seeds it is anywhere.
  constexpr std::size_t kSeeds = 2000;
  double mean = 0, square = 0, fine = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const double value = sobol_points(3, 7, seed)[2][6];
    mean += value / kSeeds;
    square += (value - 0.5) * (value - 0.5) / kSeeds;
    fine += (value * 1024 - std::floor(value * 1024)) / kSeeds;
  }
  const double margin = 4 / std::sqrt(12.0 * kSeeds);
  CHECK(mean == Approx(0.5).margin(margin));
  CHECK(fine == Approx(0.5).margin(margin));
  CHECK(square == Approx(1.0 / 12).margin(4 * std::sqrt(1.0 / 180 / kSeeds)));
}

TEST_CASE("seeds give different designs, one seed always the same one") {
  for (const auto& design : {latin_hypercube, random_points, sobol_points}) {
    CHECK(design(64, 3, 1) == design(64, 3, 1));
    CHECK(design(64, 3, 1) != design(64, 3, 2));
    for (const std::vector<double>& row : design(500, 3, 9)) {
      REQUIRE(std::ranges::all_of(row, [](double value) { return 0 <= value && value < 1; }));
    }
  }
}

TEST_CASE("more Sobol' points or factors begin with the same ones") {
  const Rows few = sobol_points(100, 3, 4), more = sobol_points(128, 8, 4);
  for (std::size_t row = 0; row < few.size(); ++row) {
    REQUIRE(std::ranges::equal(few[row], std::vector(more[row].begin(), more[row].begin() + 3)));
  }
}

TEST_CASE("independent Sobol' designs are each a net, and differ") {
  const Rows all = independent_sobol_points(3, 32, 4, 6);
  REQUIRE(all.size() == 96);
  const Rows first(all.begin(), all.begin() + 32), second(all.begin() + 32, all.begin() + 64);
  CHECK(first == sobol_points(32, 4, 6));
  CHECK(first != second);
  for (std::size_t factor = 0; factor < 4; ++factor) {
    CHECK(one_in_each(parts_of(second, factor, 32), 32));
  }
}

TEST_CASE("Sobol' points integrate a smooth function far better than independent points") {
  // The integral of prod (1 + (x - 1/2)) over six factors is 1.
  const auto error_of = [](const Rows& rows) {
    double sum = 0;
    for (const std::vector<double>& row : rows) {
      double product = 1;
      for (const double value : row) product *= 0.5 + value;
      sum += product;
    }
    return sum / static_cast<double>(rows.size()) - 1;
  };
  double sobol = 0, random = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    sobol += std::pow(error_of(sobol_points(1024, 6, seed)), 2);
    random += std::pow(error_of(random_points(1024, 6, seed)), 2);
  }
  CHECK(sobol < random / 100);
}

TEST_CASE("designs have pinned values") {
  CHECK(latin_hypercube(3, 2, 1) == Rows{{0x1.002e404p-6, 0x1.3f34a86ap-1},
                                         {0x1.a4bd91fep-1, 0x1.6407f3b6p-1},
                                         {0x1.bf295cb955555p-2, 0x1.16f02bfd55555p-3}});
  CHECK(random_points(2, 2, 1) == Rows{{0x1.028a92277379p-2, 0x1.55bc5c7df3fbp-2},
                                       {0x1.fade59b9aaa37p-1, 0x1.401a12d5f06f3p-1}});
  CHECK(sobol_points(4, 3, 1) ==
        Rows{{0x1.a1990e15a4ceep-1, 0x1.6cc1c97bcd2dep-1, 0x1.5eaa3ea5ad58cp-2},
             {0x1.a2b08c5c72eeap-2, 0x1.33658bc934924p-2, 0x1.e158f94b61d07p-1},
             {0x1.fbebc5790a0a8p-3, 0x1.e2132d12cc4c9p-1, 0x1.c838eaca794f8p-3},
             {0x1.0e3bb965df3b1p-1, 0x1.760218d9b285p-5, 0x1.3c03dcab292ffp-1}});
  // The 1,000th point in dimension 40.
  CHECK(sobol_points(1000, 40, 1)[999][39] == 0x1.f4978e18c8a9p-1);
}

}  // namespace photon::analysis
