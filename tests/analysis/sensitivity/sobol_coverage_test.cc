// Nominal 95 % intervals of indices against Ishigami's known ones, over 1,000 repetitions each.
// Seeds are fixed, so that every share is the same on every run; -s shows them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/sensitivity/sobol_indices.h"
#include "tests/analysis/sensitivity/test_functions.h"
#include "tests/analysis/statistics/coverage.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

struct Covered {
  std::array<Coverage, 3> first, total;
  double width = 0;  // of the first factor's total index, on average
};

template <class Halves>
Covered coverage_of(const Halves& halves, const SobolOptions& options, double noise = 0) {
  constexpr std::uint64_t kRepetitions = 1000;
  const double variance = Ishigami::variance() + noise * noise;
  // With noise that is not taken out, each true share is of more.
  const double shrunk = options.noise_variance > 0 ? 1 : Ishigami::variance() / variance;
  Covered covered;
  for (std::uint64_t seed = 1; seed <= kRepetitions; ++seed) {
    const Rows rows = saltelli_rows(halves(seed));
    const auto indices = sobol_indices(3, figures_at(rows, Ishigami{}, seed, noise), seed, options);
    for (std::size_t factor = 0; factor < 3; ++factor) {
      covered.first[factor].note(indices[factor].first, Ishigami::first()[factor] * shrunk);
      covered.total[factor].note(indices[factor].total,
                                 Ishigami::total()[factor] * shrunk + (1 - shrunk));
    }
    covered.width += indices[0].total.interval->half_width() * 2 / kRepetitions;
  }
  return covered;
}

void check_covered(const Covered& covered) {
  for (std::size_t factor = 0; factor < 3; ++factor) {
    INFO("factor " << factor);
    CHECK_COVERAGE(covered.first[factor]);
    CHECK_COVERAGE(covered.total[factor]);
  }
}

Rows independent_rows(std::uint64_t seed) { return random_points(1024, 6, seed); }
Rows independent_designs(std::uint64_t seed) { return independent_sobol_points(16, 128, 6, seed); }

}  // namespace

TEST_CASE("intervals of indices cover with independent rows") {
  check_covered(coverage_of(independent_rows, {.resamples = 300}));
}

TEST_CASE("intervals of indices cover with independent Sobol' designs") {
  check_covered(coverage_of(independent_designs, {.designs = 16, .resamples = 300}));
}

TEST_CASE("intervals of indices cover from as few rows as the report accepts without a remark") {
  const auto few = [](std::uint64_t seed) {
    return independent_sobol_points(16, kWellCoveredRows / 16, 6, seed);
  };
  check_covered(coverage_of(few, {.designs = 16, .resamples = 300}));
}

TEST_CASE("intervals of indices cover with noise, known or not") {
  check_covered(coverage_of(independent_designs, {.designs = 16, .resamples = 300}, 2));
  check_covered(
      coverage_of(independent_designs, {.designs = 16, .noise_variance = 4, .resamples = 300}, 2));
}

TEST_CASE("16 Sobol' designs tell more than as many independent rows") {
  const Covered designs = coverage_of(independent_designs, {.designs = 16, .resamples = 300});
  const auto as_many = [](std::uint64_t seed) { return random_points(16 * 128, 6, seed); };
  const Covered rows = coverage_of(as_many, {.resamples = 300});
  INFO("widths " << designs.width << " and " << rows.width);
  CHECK(designs.width < 0.7 * rows.width);
}

TEST_CASE("rows of one Sobol' design are not independent, and intervals too wide") {
  const auto one_design = [](std::uint64_t seed) { return sobol_points(2048, 6, seed); };
  const Covered covered = coverage_of(one_design, {.resamples = 300});
  CHECK(covered.total[1].share() > 0.98);
  CHECK(covered.first[0].share() > 0.98);
}

}  // namespace photon::analysis
