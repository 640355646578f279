#include "analysis/statistics/moments.h"

#include <vector>

#include <rapidcheck.h>

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

Moments moments_of(const std::vector<double>& values) {
  Moments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

rc::Gen<std::vector<double>> whole_numbers() {
  return rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(-1000, 1000), [](int value) { return 1.0 * value; }));
}

}  // namespace

TEST_CASE("moments: mean and variance of numbers worked by hand") {
  const Moments moments = moments_of({2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(moments.count() == 8);
  CHECK(moments.mean() == Approx(5));
  CHECK(moments.variance() == Approx(32.0 / 7));
  CHECK(moments_of({}).mean() == 0);
  CHECK(moments_of({3}).variance() == 0);
}

TEST_CASE("moments: a large common part does not cancel the variance") {
  CHECK(moments_of({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}).variance() == Approx(30));
}

TEST_CASE("moments: those of merged parts are those of the whole") {
  CHECK(rc::check("merge", [] {
    const std::vector<double> left = *whole_numbers();
    const std::vector<double> right = *whole_numbers();
    std::vector<double> both = left;
    both.insert(both.end(), right.begin(), right.end());
    Moments merged = moments_of(left);
    merged.merge(moments_of(right));
    const Moments whole = moments_of(both);
    RC_ASSERT(merged.count() == whole.count());
    RC_ASSERT(merged.mean() == Approx(whole.mean()).margin(1e-9));
    RC_ASSERT(merged.squares() == Approx(whole.squares()).margin(1e-6));
  }));
}

}  // namespace photon::analysis
