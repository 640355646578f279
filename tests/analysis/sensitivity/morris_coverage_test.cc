// Nominal 95 % intervals of mu* against its known value, over 1,000 repetitions each.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/sensitivity/morris.h"
#include "tests/analysis/sensitivity/test_functions.h"
#include "tests/analysis/statistics/coverage.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// The product of one factor and the exponential of another: a skewed effect, never negative.
struct Skewed {
  static double at(const std::vector<double>& row) { return row[0] * std::exp(3 * row[1]); }
  // mu* of the first factor on four levels, which the other takes equally often.
  static double magnitude() { return (1 + std::exp(1.0) + std::exp(2.0) + std::exp(3.0)) / 4; }
};

Coverage coverage_of_magnitude(std::size_t trajectories,
                               const MorrisOptions& options = {.resamples = 500}) {
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Rows rows = morris_rows(trajectories, 2, 4, seed);
    const auto effects = elementary_effects(rows, figures_at(rows, Skewed{}), seed, options);
    coverage.note(effects[0].magnitude, Skewed::magnitude());
  }
  return coverage;
}

}  // namespace

TEST_CASE("intervals of mu* cover a skewed effect's mean") {
  const Coverage of_twenty = coverage_of_magnitude(20), of_fifty = coverage_of_magnitude(50);
  CHECK_COVERAGE(of_twenty);
  CHECK_COVERAGE(of_fifty);
  // The check can fail.
  CHECK(coverage_of_magnitude(20, {.resamples = 500, .confidence = 0.8}).share() < 0.92);
}

}  // namespace photon::analysis
