#include "analysis/statistics/student.h"

#include <vector>

#include "analysis/statistics/critical_values.h"
#include "tests/support/catch.h"

namespace photon::analysis {

TEST_CASE("critical values: as tabulated") {
  // NIST/SEMATECH e-Handbook of Statistical Methods, tables 1.3.6.7.2 and 1.3.6.7.4.
  CHECK(student_quantile(0.975, 1) == Approx(12.706).margin(0.0005));
  CHECK(student_quantile(0.975, 4) == Approx(2.776).margin(0.0005));
  CHECK(student_quantile(0.95, 9) == Approx(1.833).margin(0.0005));
  CHECK(student_quantile(0.995, 29) == Approx(2.756).margin(0.0005));
  CHECK(chi_squared_quantile(0.975, 9) == Approx(19.023).margin(0.0005));
  CHECK(chi_squared_quantile(0.025, 9) == Approx(2.700).margin(0.0005));
  CHECK(student_factor(10, 0.9) == student_quantile(0.95, 9));
  CHECK(binomial_distribution(1, 10, 0.5) == Approx(11.0 / 1024));
  CHECK(binomial_distribution(10, 10, 0.5) == 1);
}

TEST_CASE("student: ten replications of Law's bank, 90 % interval 2.03 +- 0.32") {
  // Law 2015, example 9.14: mean 2.03, variance 0.31.
  const std::vector<double> delays = {1.53, 1.66, 1.24, 2.34, 2.00, 1.69, 2.69, 2.86, 1.70, 2.60};
  const Estimate estimate = mean_of_replications(delays, 0.9);
  CHECK(estimate.value == Approx(2.03).margin(0.005));
  CHECK(estimate.n == 10);
  REQUIRE(estimate.interval);
  CHECK(estimate.interval->half_width() == Approx(0.32).margin(0.005));
  CHECK(*relative_half_width(estimate) == Approx(0.32 / 2.03).margin(0.003));
  CHECK(estimate.interval->contains(estimate.value));
}

TEST_CASE("student: fewer than two replications have no interval, and say why") {
  const Estimate one = mean_of_replications(std::vector<double>{7});
  CHECK(one.value == 7);
  CHECK(one.n == 1);
  CHECK_FALSE(one.interval);
  CHECK(one.shortage == Shortage::replications);
  CHECK(text_of(one.shortage) == "n too small: fewer than two replications");
  CHECK_FALSE(relative_half_width(one));
  CHECK(mean_of_replications(Moments()).shortage == Shortage::replications);
}

TEST_CASE("student: a mean of zero has no relative half-width") {
  const Estimate estimate = mean_of_replications(std::vector<double>{-1, 1});
  CHECK(estimate.interval);
  CHECK_FALSE(relative_half_width(estimate));
}

}  // namespace photon::analysis
