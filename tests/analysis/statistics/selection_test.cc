#include "analysis/statistics/selection.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "analysis/statistics/critical_values.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

using Indices = std::vector<std::size_t>;

// Mean and variance as asked, of four replications.
Moments four(double mean, double variance) {
  Moments moments;
  const double apart = std::sqrt(variance * 3 / 4);
  for (const double sign : {-1.0, 1.0, -1.0, 1.0}) moments.add(mean + sign * apart);
  return moments;
}

std::vector<std::vector<double>> drawn_rows() {
  const int k = *rc::gen::inRange(1, 6);
  const int n = *rc::gen::inRange(0, 8);
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(k));
  for (auto& row : rows) {
    for (int i = 0; i < n; ++i) row.push_back(*rc::gen::inRange(-50, 50));
  }
  return rows;
}

std::vector<Moments> moments_of_rows(const std::vector<std::vector<double>>& rows) {
  std::vector<Moments> all;
  for (const auto& row : rows) {
    Moments& moments = all.emplace_back();
    for (const double value : row) moments.add(value);
  }
  return all;
}

}  // namespace

TEST_CASE("selection: one is ruled out exactly beyond the width of Nelson et al.") {
  // Two of four replications with variances 4 and 12: W = t sqrt(4 / 4 + 12 / 4) = 2 t, t with
  // three degrees at 0.95, tabulated 2.353.
  const double width = 2 * student_quantile(0.95, 3);
  CHECK(width == Approx(2 * 2.353).margin(0.001));
  for (const auto& [gap, expected] :
       {std::pair{width - 1e-6, Indices{0, 1}}, std::pair{width + 1e-6, Indices{0}}}) {
    const std::vector<Moments> systems = {four(10, 4), four(10 + gap, 12)};
    CHECK(select_best(systems) == expected);
  }
}

TEST_CASE("selection: three configurations are compared at confidence^(1/2)") {
  const double width = std::sqrt(2.0) * student_quantile(std::sqrt(0.95), 3);
  const std::vector<Moments> near = {four(0, 4), four(width - 1e-6, 4), four(50, 4)};
  CHECK(select_best(near) == Indices{0, 1});
  const std::vector<Moments> far = {four(0, 4), four(width + 1e-6, 4), four(50, 4)};
  CHECK(select_best(far) == Indices{0});
  CHECK(select_best(far, {.goal = Goal::maximum}) == Indices{2});
}

TEST_CASE("selection: a difference that does not matter narrows the width") {
  const std::vector<Moments> systems = {four(0, 4), four(3, 4)};
  CHECK(select_best(systems) == Indices{0, 1});  // W = 3.33
  CHECK(select_best(systems, {.indifference = 0.5}) == Indices{0});
  // The width is never negative: the better one survives, and so does its equal.
  const std::vector<Moments> equal = {four(0, 4), four(0, 4)};
  CHECK(select_best(equal, {.indifference = 100}) == Indices{0, 1});
}

TEST_CASE("selection: one replication rules nothing out") {
  Moments single;
  single.add(-1000);
  const std::vector<Moments> systems = {four(0, 0.01), single, four(50, 0.01)};
  CHECK(select_best(systems) == Indices{0, 1});
  CHECK(select_best(std::vector<Moments>{}) == Indices{});
  CHECK(select_best(std::vector<Moments>{single}) == Indices{0});
}

TEST_CASE("selection: common seeds tell apart what independent ones do not") {
  const std::vector<std::vector<double>> rows = {{10, 20, 30, 40}, {11, 21.5, 31, 41.5}};
  CHECK(select_best(moments_of_rows(rows)) == Indices{0, 1});
  CHECK(select_best_paired(rows) == Indices{0});
  CHECK(select_best_paired(rows, {.goal = Goal::maximum}) == Indices{1});
  CHECK(select_best_paired(rows, {.indifference = 5}) == Indices{0});
}

TEST_CASE("selection: with common seeds the width is that of paired differences, by Bonferroni") {
  // Three configurations: t at 1 - 0.05 / 2 with three degrees, tabulated 3.182; S = 2, n = 4.
  const double width = student_quantile(0.975, 3);
  CHECK(width == Approx(3.182).margin(0.0005));
  const double apart = std::sqrt(3.0);  // of +-apart four times, the variance is 4
  for (const auto& [gap, expected] :
       {std::pair{width - 1e-6, Indices{0, 1}}, std::pair{width + 1e-6, Indices{0}}}) {
    const std::vector<std::vector<double>> rows = {
        {5, 6, 7, 8},
        {5 + gap + apart, 6 + gap - apart, 7 + gap + apart, 8 + gap - apart},
        {100, 100, 100, 100}};
    CHECK(select_best_paired(rows) == expected);
  }
}

TEST_CASE("selection: the best mean survives, and minimum mirrors maximum") {
  CHECK(rc::check("mirror", [] {
    const auto rows = drawn_rows();
    auto mirrored = rows;
    for (auto& row : mirrored) {
      for (double& value : row) value = -value;
    }
    const std::vector<Moments> moments = moments_of_rows(rows);
    std::size_t best = 0;
    for (std::size_t i = 0; i < moments.size(); ++i) {
      if (moments[i].mean() < moments[best].mean()) best = i;
    }
    const Indices kept = select_best(moments);
    const Indices kept_paired = select_best_paired(rows);
    RC_ASSERT(std::ranges::count(kept, best) == 1);
    RC_ASSERT(std::ranges::count(kept_paired, best) == 1);
    const SelectionRule largest{.goal = Goal::maximum};
    RC_ASSERT(select_best(moments_of_rows(mirrored), largest) == kept);
    RC_ASSERT(select_best_paired(mirrored, largest) == kept_paired);
  }));
}

}  // namespace photon::analysis
