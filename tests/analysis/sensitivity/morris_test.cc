// Morris' elementary effects: the trajectories, and functions whose effects are known.
#include "analysis/sensitivity/morris.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

template <class Function>
std::vector<ElementaryEffects> effects_of(const Rows& rows, const Function& function) {
  std::vector<double> figures;
  for (const std::vector<double>& row : rows) figures.push_back(function(row));
  return elementary_effects(rows, figures);
}

// Sobol's g-function: the smaller its constant, the more a factor matters.
double g_function(const std::vector<double>& row, const std::vector<double>& constants) {
  double product = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    product *= (std::fabs(4 * row[i] - 2) + constants[i]) / (1 + constants[i]);
  }
  return product;
}

}  // namespace

TEST_CASE("Morris: a trajectory changes one factor at a time, by half of the grid and a bit") {
  for (const std::size_t levels : {2U, 4U, 8U}) {
    const Rows rows = morris_rows(50, 6, levels, 3);
    REQUIRE(rows.size() == 50 * 7);
    const double step = static_cast<double>(levels) / (2.0 * static_cast<double>(levels - 1));
    std::vector<bool> seen(levels);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const double value : rows[row]) {
        const double level = value * static_cast<double>(levels - 1);
        REQUIRE(level == Approx(std::round(level)).margin(1e-12));
        seen[static_cast<std::size_t>(std::lround(level))] = true;
      }
      if (row % 7 == 0) continue;
      int changed = 0;
      for (std::size_t factor = 0; factor < 6; ++factor) {
        const double way = std::fabs(rows[row][factor] - rows[row - 1][factor]);
        if (way == 0) continue;
        ++changed;
        CHECK(way == Approx(step));
      }
      CHECK(changed == 1);
    }
    CHECK(std::ranges::count(seen, false) == 0);
  }
}

TEST_CASE("Morris: the effects of a linear function are its slopes, without spread") {
  const auto effects = effects_of(morris_rows(10, 3, 4, 1), [](const std::vector<double>& row) {
    return 5 * row[0] - 2 * row[1] + 100;
  });
  CHECK(effects[0].mean.value == Approx(5));
  CHECK(effects[1].mean.value == Approx(-2));
  CHECK(effects[1].magnitude.value == Approx(2));
  CHECK(effects[2].magnitude.value == Approx(0).margin(1e-9));
  for (const ElementaryEffects& each : effects) CHECK(each.spread == Approx(0).margin(1e-9));
  CHECK(effects[0].magnitude.n == 10);
}

TEST_CASE("Morris: an effect that changes its sign has no mean, but a magnitude and a spread") {
  const auto effects = effects_of(morris_rows(200, 2, 4, 1), [](const std::vector<double>& row) {
    return (row[0] - 0.5) * (row[1] - 0.5);
  });
  CHECK(std::fabs(effects[0].mean.value) < 0.1);
  CHECK(effects[0].magnitude.value > 0.25);
  CHECK(effects[0].spread > 0.25);
}

TEST_CASE("Morris: the factors of the g-function are ranked as its constants are") {
  const std::vector<double> constants{0, 1, 4.5, 9, 20, 60};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto effects =
        effects_of(morris_rows(40, 6, 8, seed),
                   [&](const std::vector<double>& row) { return g_function(row, constants); });
    for (std::size_t i = 1; i < effects.size(); ++i) {
      CAPTURE(seed, i);
      CHECK(effects[i - 1].magnitude.value > effects[i].magnitude.value);
    }
  }
}

}  // namespace photon::analysis::testing
