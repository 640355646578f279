// A search for the Pareto front of several objectives with one model (ParEGO: Knowles, IEEE
// Transactions on Evolutionary Computation 10, 2006): each step weighs the objectives anew and
// searches for the smallest value of their augmented Tchebycheff scalarisation.
//
// A pure function of its arguments, as search_step.h is. All objectives are to be small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/optimisation/pareto_front.h"
#include "analysis/optimisation/search_step.h"

namespace photon::analysis {

struct ObjectivesObservation {
  SearchPoint point{};
  Objectives values{};
  std::vector<double> noise_variances{};  // by objective, in its unit squared
};

// One figure of all evaluations.
std::vector<Observation> figure_of(std::span<const ObjectivesObservation> evaluations,
                                   std::size_t figure);

// Weights at least zero with the sum one, uniform among all such: of this step of a search.
std::vector<double> scalarisation_weights(std::size_t objectives, std::uint64_t seed,
                                          std::uint64_t step);

// max_j w_j f_j + 0.05 sum_j w_j f_j, where each objective goes from 0 to 1 over the values that
// were seen. Its noise is that of the sum of its terms, as if the largest stayed so. One for each.
std::vector<Observation> scalarised(std::span<const ObjectivesObservation> evaluations,
                                    std::span<const double> weights);

// The point to evaluate next: next_point() of the scalarised evaluations, with weights by how many
// there are. Nothing when every point of the space was evaluated often enough.
std::optional<SearchPoint> next_pareto_point(const SearchSpace& space,
                                             std::span<const ObjectivesObservation> evaluations,
                                             const SearchOptions& options = {});

struct FrontPoint {
  std::size_t evaluation = 0;             // the first one at that point
  std::vector<Prediction> predictions{};  // by objective
};
// The evaluated points whose means no other's dominate, each objective by a model of its own: noise
// alone does not put a point on the front. Confirm them with seeds that the search has not used.
//
// Two evaluations or more.
std::vector<FrontPoint> predicted_front(const SearchSpace& space,
                                        std::span<const ObjectivesObservation> evaluations);

}  // namespace photon::analysis
