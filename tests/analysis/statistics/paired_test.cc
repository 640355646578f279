#include "analysis/statistics/paired.h"

#include <cmath>
#include <vector>

#include <rapidcheck.h>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/moments.h"
#include "tests/support/catch.h"

namespace photon::analysis {

TEST_CASE("paired: difference, correlation and variance ratio worked by hand") {
  const std::vector<double> first = {1, 2, 3, 4};
  const std::vector<double> second = {1, 1, 2, 2};
  const PairedDifference result = compare_paired(first, second);
  CHECK(result.difference.value == Approx(1));
  CHECK(result.difference.n == 4);
  // Differences 0, 1, 1, 2: variance 2 / 3.
  REQUIRE(result.difference.interval);
  CHECK(result.difference.interval->half_width() ==
        Approx(student_factor(4, 0.95) * std::sqrt(2.0 / 3 / 4)));
  CHECK(*result.correlation == Approx(2 / std::sqrt(5.0)));
  CHECK(*result.variance_ratio == Approx((5.0 / 3 + 1.0 / 3) / (2.0 / 3)));
}

TEST_CASE("paired: nothing that varies has no correlation and no ratio") {
  const std::vector<double> constant = {2, 2, 2};
  const std::vector<double> varying = {1, 2, 4};
  CHECK_FALSE(compare_paired(constant, varying).correlation);
  CHECK(*compare_paired(constant, varying).variance_ratio == Approx(1));
  const PairedDifference same = compare_paired(varying, varying);
  CHECK(*same.correlation == Approx(1));
  CHECK_FALSE(same.variance_ratio);
  REQUIRE(same.difference.interval);
  CHECK(same.difference.interval->half_width() == 0);
  const PairedDifference one = compare_paired(std::vector<double>{1}, std::vector<double>{5});
  CHECK(one.difference.value == -4);
  CHECK(one.difference.shortage == Shortage::replications);
  CHECK_FALSE(one.correlation);
}

TEST_CASE("paired: the variance ratio follows from the correlation") {
  CHECK(rc::check("ratio", [] {
    const int n = *rc::gen::inRange(2, 30);
    std::vector<double> first;
    std::vector<double> second;
    Moments left;
    Moments right;
    for (int i = 0; i < n; ++i) {
      first.push_back(*rc::gen::inRange(-100, 100));
      second.push_back(*rc::gen::inRange(-100, 100));
      left.add(first.back());
      right.add(second.back());
    }
    const PairedDifference result = compare_paired(first, second);
    if (!result.correlation || !result.variance_ratio) return;
    const double variances = left.variance() + right.variance();
    const double shared =
        2 * *result.correlation * left.standard_deviation() * right.standard_deviation();
    RC_ASSERT(variances / *result.variance_ratio == Approx(variances - shared).margin(1e-6));
  }));
}

}  // namespace photon::analysis
