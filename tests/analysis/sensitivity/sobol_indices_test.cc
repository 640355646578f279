// Sobol's indices of functions whose indices are known, and how often their intervals cover them.
#include "analysis/sensitivity/sobol_indices.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

constexpr std::size_t kFactors = 3;

// Ishigami and Homma's function (1990), with its usual constants.
double ishigami(const std::vector<double>& row) {
  std::array<double, kFactors> x{};
  for (std::size_t i = 0; i < kFactors; ++i) x[i] = (2 * row[i] - 1) * std::numbers::pi;
  return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) +
         0.1 * std::pow(x[2], 4) * std::sin(x[0]);
}

struct Known {
  std::array<double, kFactors> first{}, total{};
};

// Sobol' and Levitan, 1999.
Known ishigami_indices() {
  const double pi4 = std::pow(std::numbers::pi, 4), pi8 = pi4 * pi4;
  const double one = 0.5 * std::pow(1 + 0.1 * pi4 / 5, 2), two = 49.0 / 8;
  const double both = 0.01 * pi8 * (1.0 / 18 - 1.0 / 50);
  const double all = one + two + both;
  return {{one / all, two / all, 0}, {(one + both) / all, two / all, both / all}};
}

std::vector<double> figures_at(const Rows& rows) {
  std::vector<double> figures;
  for (const auto& row : rows) figures.push_back(ishigami(row));
  return figures;
}

}  // namespace

TEST_CASE("Sobol's indices of Ishigami's function are found within 0.02") {
  const Known known = ishigami_indices();
  CHECK(known.first[0] == Approx(0.3139).margin(1e-4));
  CHECK(known.total[2] == Approx(0.2437).margin(1e-4));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto found = sobol_indices(
        kFactors, figures_at(saltelli_rows(sobol_points(4096, 2 * kFactors, seed))), seed, 100);
    REQUIRE(found.size() == kFactors);
    for (std::size_t i = 0; i < kFactors; ++i) {
      CAPTURE(seed, i);
      CHECK(found[i].first.value == Approx(known.first[i]).margin(0.02));
      CHECK(found[i].total.value == Approx(known.total[i]).margin(0.02));
    }
  }
}

TEST_CASE("Sobol's indices: the design changes one factor of A to that of B") {
  const Rows halves{{0.1, 0.2, 0.6, 0.7}};
  CHECK(saltelli_rows(halves) == Rows{{0.1, 0.2}, {0.6, 0.7}, {0.6, 0.2}, {0.1, 0.7}});
}

TEST_CASE("Sobol's indices: a figure that never changes has none") {
  CHECK(sobol_indices(2, std::vector<double>(40, 3.0), 1).empty());
}

// 1,000 independent designs of 256 rows.
TEST_CASE("Sobol's indices: intervals of 95 % cover between 92 and 98 %", "[coverage]") {
  constexpr int kRepetitions = 1000;
  const Known known = ishigami_indices();
  std::array<int, kFactors> first{}, total{};
  for (std::uint64_t seed = 1; seed <= kRepetitions; ++seed) {
    const auto found = sobol_indices(
        kFactors, figures_at(saltelli_rows(random_points(256, 2 * kFactors, seed))), seed, 400);
    for (std::size_t i = 0; i < kFactors; ++i) {
      first[i] += found[i].first.interval->contains(known.first[i]) ? 1 : 0;
      total[i] += found[i].total.interval->contains(known.total[i]) ? 1 : 0;
    }
  }
  for (const auto& covered : {first, total}) {
    for (const int count : covered) {
      const double share = count / static_cast<double>(kRepetitions);
      CHECK(share >= 0.92);
      CHECK(share <= 0.98);
    }
  }
}

}  // namespace photon::analysis::testing
