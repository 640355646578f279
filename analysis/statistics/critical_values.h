// Quantiles and distribution functions that intervals are made of. The only door to Boost.Math's
// distributions in this folder, because its headers take seconds to compile.
#pragma once

#include <cstdint>

namespace photon::analysis {

// Inverse distribution functions. probability in (0, 1), degrees_of_freedom > 0.
double student_quantile(double probability, double degrees_of_freedom);
double chi_squared_quantile(double probability, double degrees_of_freedom);

// The factor of a two-sided Student interval over n observations, n >= 2; confidence in (0, 1).
double student_factor(std::uint64_t n, double confidence);

// P(at most `successes` of `trials` independent trials succeed).
double binomial_distribution(std::uint64_t successes, std::uint64_t trials, double probability);

}  // namespace photon::analysis
