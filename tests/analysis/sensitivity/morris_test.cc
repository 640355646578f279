#include "analysis/sensitivity/morris.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "tests/analysis/sensitivity/test_functions.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

struct Linear {
  static double at(const std::vector<double>& row) { return 3 * row[0] - 5 * row[1]; }
};

}  // namespace

TEST_CASE("a trajectory changes each factor once, by delta, on the levels of the grid") {
  for (const std::size_t levels : {2U, 4U, 6U, 10U}) {
    const double steps = static_cast<double>(levels - 1);
    const double delta = static_cast<double>(levels) / (2 * steps);
    const Rows rows = morris_rows(10, 7, levels, 3);
    REQUIRE(rows.size() == 80);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const double value : rows[row]) {
        REQUIRE((0 <= value && value <= 1));
        REQUIRE(value * steps == Approx(std::round(value * steps)).margin(1e-9));
      }
      if (row % 8 == 0) continue;
      std::size_t changed = 0;
      for (std::size_t factor = 0; factor < 7; ++factor) {
        const double way = std::fabs(rows[row][factor] - rows[row - 1][factor]);
        if (way == 0) continue;
        ++changed;
        REQUIRE(way == Approx(delta));
      }
      REQUIRE(changed == 1);
    }
    for (std::size_t factor = 0; factor < 7; ++factor) {
      REQUIRE(rows[0][factor] != rows[7][factor]);
    }
  }
}

TEST_CASE("trajectories begin at all levels, change factors in all orders and follow the seed") {
  const Rows rows = morris_rows(400, 3, 4, 1);
  std::set<double> starts;
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t first = 0; first < rows.size(); first += 4) {
    starts.insert(rows[first][1]);
    std::vector<std::size_t> order;
    for (std::size_t row = first + 1; row < first + 4; ++row) {
      const auto changed = std::ranges::mismatch(rows[row], rows[row - 1]).in1;
      order.push_back(static_cast<std::size_t>(changed - rows[row].begin()));
    }
    orders.insert(order);
  }
  CHECK(starts.size() == 4);
  CHECK(orders.size() == 6);
  CHECK(rows == morris_rows(400, 3, 4, 1));
  CHECK(rows != morris_rows(400, 3, 4, 2));
}

TEST_CASE("effects of a linear function are its slopes, with no spread") {
  const Rows rows = morris_rows(5, 2, 6, 8);
  const auto effects = elementary_effects(rows, figures_at(rows, Linear{}), 1);
  CHECK(effects[0].mean.value == Approx(3));
  CHECK(effects[0].magnitude.value == Approx(3));
  CHECK(effects[1].mean.value == Approx(-5));
  CHECK(effects[1].magnitude.value == Approx(5));
  CHECK(effects[1].magnitude.interval->half_width() == Approx(0).margin(1e-9));
  CHECK(effects[0].spread == Approx(0).margin(1e-9));
}

TEST_CASE("one trajectory has effects and no interval") {
  const Rows rows = morris_rows(1, 2, 4, 8);
  const auto effects = elementary_effects(rows, figures_at(rows, Linear{}), 1);
  CHECK(effects[0].magnitude.value == Approx(3));
  CHECK(effects[0].magnitude.shortage == Shortage::replications);
}

TEST_CASE("Morris' function of 20 factors: ten matter, three of them linearly") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Rows rows = morris_rows(20, Morris20::kFactors, 4, seed);
    const auto effects = elementary_effects(rows, figures_at(rows, Morris20{}), seed);
    double least = 1e9, most = 0;
    for (std::size_t factor = 0; factor < Morris20::kFactors; ++factor) {
      double& side = factor < 10 ? least : most;
      const double magnitude = effects[factor].magnitude.value;
      side = factor < 10 ? std::min(side, magnitude) : std::max(side, magnitude);
    }
    INFO("seed " << seed);
    CHECK(least > 2 * most);
    for (std::size_t factor = 0; factor < 10; ++factor) {
      const bool linear = factor >= 7;
      CHECK((effects[factor].spread < 0.3 * effects[factor].magnitude.value) == linear);
    }
    // A step of a linear factor from -1 to 1 changes the function by twice its coefficient.
    for (std::size_t factor = 7; factor < 10; ++factor) {
      CHECK(effects[factor].mean.value == Approx(40).margin(6));
    }
  }
}

}  // namespace photon::analysis
