#include "analysis/statistics/critical_values.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

// Double precision throughout: long double differs between machines and is slower.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Student = boost::math::students_t_distribution<double, Policy>;
using ChiSquared = boost::math::chi_squared_distribution<double, Policy>;
using Binomial = boost::math::binomial_distribution<double, Policy>;

void check_inside(double probability) {
  PHOTON_CHECK(probability > 0, "the probability of a quantile is above zero");
  PHOTON_CHECK(probability < 1, "the probability of a quantile is below one");
}

}  // namespace

double student_quantile(double probability, double degrees_of_freedom) {
  check_inside(probability);
  return quantile(Student(degrees_of_freedom), probability);
}

double chi_squared_quantile(double probability, double degrees_of_freedom) {
  check_inside(probability);
  return quantile(ChiSquared(degrees_of_freedom), probability);
}

double student_factor(std::uint64_t n, double confidence) {
  PHOTON_CHECK(n >= 2, "a Student interval rests on two observations or more");
  return student_quantile((1 + confidence) / 2, static_cast<double>(n - 1));
}

double binomial_distribution(std::uint64_t successes, std::uint64_t trials, double probability) {
  if (successes >= trials) return 1;
  return cdf(Binomial(static_cast<double>(trials), probability), static_cast<double>(successes));
}

}  // namespace photon::analysis
