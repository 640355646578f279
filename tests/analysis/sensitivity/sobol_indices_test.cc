#include "analysis/sensitivity/sobol_indices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/analysis/sensitivity/test_functions.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

constexpr SobolOptions kWithoutIntervals{.resamples = 0};

struct Constant {
  static double at(const std::vector<double>&) { return 4; }
};

// Of six indices of Ishigami's function.
double worst_error(const Rows& halves) {
  const std::vector<double> figures = figures_at(saltelli_rows(halves), Ishigami{});
  const auto indices = sobol_indices(3, figures, 1, kWithoutIntervals);
  double worst = 0;
  for (std::size_t factor = 0; factor < 3; ++factor) {
    const double first = std::fabs(indices[factor].first.value - Ishigami::first()[factor]);
    const double total = std::fabs(indices[factor].total.value - Ishigami::total()[factor]);
    worst = std::max({worst, first, total});
  }
  return worst;
}

}  // namespace

TEST_CASE("a row of Saltelli's design is A, B and A with each factor of B") {
  const Rows rows = saltelli_rows({{1, 2, 3, 4}, {5, 6, 7, 8}});
  CHECK(rows == Rows{{1, 2}, {3, 4}, {3, 2}, {1, 4}, {5, 6}, {7, 8}, {7, 6}, {5, 8}});
}

TEST_CASE("indices of Ishigami's function are within 0.02 of its known ones") {
  double of_one = 0, of_several = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    of_one = std::max(of_one, worst_error(sobol_points(8192, 6, seed)));
    of_several = std::max(of_several, worst_error(independent_sobol_points(16, 2048, 6, seed)));
  }
  INFO("the largest errors of 20 seeds are " << of_one << " and " << of_several);
  CHECK(of_one < 0.02);
  CHECK(of_several < 0.02);
}

TEST_CASE("indices of Sobol's g-function of eight factors are within 0.02 of its known ones") {
  const SobolG g{{0, 1, 4.5, 9, 99, 99, 99, 99}};
  const Rows rows = saltelli_rows(independent_sobol_points(16, 512, 16, 2));
  const auto indices = sobol_indices(8, figures_at(rows, g), 2, kWithoutIntervals);
  for (std::size_t factor = 0; factor < 8; ++factor) {
    CHECK(indices[factor].first.value == Approx(g.first(factor)).margin(0.02));
    CHECK(indices[factor].total.value == Approx(g.total(factor)).margin(0.02));
  }
}

TEST_CASE("noise is a factor that interacts with all, unless its variance is known") {
  const double noise = 2;  // beside a variance of 13.8
  const Rows rows = saltelli_rows(independent_sobol_points(16, 1024, 6, 4));
  const std::vector<double> figures = figures_at(rows, Ishigami{}, 4, noise);
  const auto with = sobol_indices(3, figures, 4, kWithoutIntervals);
  const auto without =
      sobol_indices(3, figures, 4, {.noise_variance = noise * noise, .resamples = 0});
  const double larger = Ishigami::variance() + noise * noise;
  for (std::size_t factor = 0; factor < 3; ++factor) {
    const double first = Ishigami::first()[factor], total = Ishigami::total()[factor];
    const double shrunk = Ishigami::variance() / larger;
    CHECK(with[factor].first.value == Approx(first * shrunk).margin(0.02));
    CHECK(with[factor].total.value == Approx(total * shrunk + noise * noise / larger).margin(0.02));
    CHECK(without[factor].first.value == Approx(first).margin(0.03));
    CHECK(without[factor].total.value == Approx(total).margin(0.03));
  }
}

TEST_CASE("a constant has no indices, one row or design no interval") {
  const Rows rows = saltelli_rows(random_points(32, 4, 1));
  CHECK(sobol_indices(2, figures_at(rows, Constant{}), 1).empty());
  CHECK(sobol_indices(2, {}, 1).empty());
  const Rows others = saltelli_rows(random_points(32, 6, 1));
  const std::vector<double> figures = figures_at(others, Ishigami{});
  CHECK(sobol_indices(3, figures, 1, {.noise_variance = 1e6}).empty());
  CHECK(sobol_indices(3, figures, 1, {.designs = 1})[0].first.shortage == Shortage::replications);
  CHECK(sobol_indices(3, figures, 1, {.designs = 4})[0].total.n == 4);
  CHECK(sobol_indices(3, figures, 1)[0].total.n == 32);
}

TEST_CASE("indices do not depend on the unit or the zero of the figure") {
  const Rows rows = saltelli_rows(random_points(256, 6, 3));
  std::vector<double> figures = figures_at(rows, Ishigami{});
  const auto before = sobol_indices(3, figures, 1);
  for (double& figure : figures) figure = 1e9 + 1024 * figure;
  const auto after = sobol_indices(3, figures, 1);
  for (std::size_t factor = 0; factor < 3; ++factor) {
    CHECK(after[factor].first.value == Approx(before[factor].first.value).margin(1e-6));
    CHECK(after[factor].total.interval->low ==
          Approx(before[factor].total.interval->low).margin(1e-6));
  }
}

}  // namespace photon::analysis
