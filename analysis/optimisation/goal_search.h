// A search for the best of several objectives where other figures must not exceed their bounds: one
// objective is searched for as bounded_search.h does, several as ParEGO does (parego.h), with the
// scalarisation in the place of the objective.
//
// A pure function of its arguments, as search_step.h is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/optimisation/parego.h"

namespace photon::analysis {

// What the values of an evaluation are: so many objectives, all to be small, then a figure for each
// bound, to be at most that.
struct SearchGoal {
  std::size_t objectives = 1;
  std::vector<double> bounds{};

  std::size_t figures() const { return objectives + bounds.size(); }
};

// Up to `count` points to evaluate side by side: first points while there are too few evaluations
// for a model, else each chosen as if those before it had the values that the models expect there.
// Fewer, or none, when every point of the space was evaluated often enough.
std::vector<SearchPoint> next_goal_points(const SearchSpace& space,
                                          std::span<const ObjectivesObservation> evaluations,
                                          const SearchGoal& goal, std::size_t count,
                                          const SearchOptions& options = {});

// At most `count` evaluations to confirm with seeds that the search has not used, by the means of
// the models. Of the points that more likely than not meet all bounds: those with the smallest
// first objective; of several objectives the one with the smallest first objective, then those of
// the Pareto front, each time the one that adds most to the dominated volume. If none meets the
// bounds, the likeliest to meet them.
//
// Two evaluations or more.
std::vector<std::size_t> goal_candidates(const SearchSpace& space,
                                         std::span<const ObjectivesObservation> evaluations,
                                         const SearchGoal& goal, std::size_t count);

}  // namespace photon::analysis
