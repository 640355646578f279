// Several objectives as one, for a search of their Pareto front with one model at a time (ParEGO:
// Knowles, IEEE Transactions on Evolutionary Computation 10, 2006): each step weighs the objectives
// anew and searches for the smallest value of their augmented Tchebycheff scalarisation. All
// objectives are to be small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/optimisation/evaluated_points.h"

namespace photon::analysis {

// Weights at least zero with the sum one, uniform among all such: of this step of a search.
std::vector<double> scalarisation_weights(std::size_t objectives, std::uint64_t seed,
                                          std::uint64_t step);

// max_j w_j f_j + 0.05 sum_j w_j f_j over the first figures, one for each weight, where each goes
// from 0 to 1 over the values that were seen. Its noise is that of the sum of its terms, as if the
// largest stayed so. One for each evaluation.
std::vector<Observation> scalarised(std::span<const ObjectivesObservation> evaluations,
                                    std::span<const double> weights);

}  // namespace photon::analysis
