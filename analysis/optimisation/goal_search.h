// A search for the best of several objectives where other figures must not exceed their bounds: the
// one search that studies use. Each point is chosen as bounded_search.h does, with one objective as
// it is, with several by a scalarisation of them (scalarisation.h).
//
// A pure function of its arguments: a search that was interrupted goes on from its evaluations. On
// another compiler a later point may differ in its last digits (gaussian_process.h).
//
// Cost of a step with n evaluations of d factors: the models are fit once, one for each bound and
// one for a single objective, each by at most 120 (d + 1) likelihoods of n^3 / 3 multiplications.
// Each point of the step costs a search over the space: about 500 d predictions of n^2 / 2
// multiplications by each model. With several objectives each point has weights of its own, so each
// after the first costs another fit, from the hyperparameters of the one before: 40 (d + 1)
// likelihoods. Eight points by 300 evaluations of ten factors, with one bound: 3 CPU seconds with
// one objective, 5 with two.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/optimisation/evaluated_points.h"

namespace photon::analysis {

// What the values of an evaluation are: the objectives, all to be small, then a figure for each
// bound, to be at most that.
struct SearchGoal {
  std::size_t objectives = 1;
  std::vector<double> bounds{};

  std::size_t figures() const { return objectives + bounds.size(); }
};

// Up to `count` points to evaluate side by side, rounded: first points while there are too few
// evaluations for a model, else each chosen as if those before it had the values that the models
// expect there. Fewer, or none, when every point of the space was evaluated often enough.
std::vector<SearchPoint> next_goal_points(const SearchSpace& space,
                                          std::span<const ObjectivesObservation> evaluations,
                                          const SearchGoal& goal, std::size_t count,
                                          const SearchOptions& options = {});

// At most `count` evaluations to confirm with seeds that the search has not used, by the means of
// the models: the smallest of many values is too small on average. Of the points that more likely
// than not meet all bounds: those with the smallest first objective; of several objectives the one
// with the smallest first objective, then those of the Pareto front, each time the one that adds
// most to the dominated volume. If none meets the bounds, the likeliest to meet them.
//
// Two evaluations or more.
std::vector<std::size_t> goal_candidates(const SearchSpace& space,
                                         std::span<const ObjectivesObservation> evaluations,
                                         const SearchGoal& goal, std::size_t count);

}  // namespace photon::analysis
