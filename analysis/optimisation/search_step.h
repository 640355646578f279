// One step of a search for the smallest value of a function that is noisy and dear: which point to
// evaluate next, after those that were (efficient global optimisation: Jones, Schonlau and Welch,
// Journal of Global Optimization 13, 1998; with noise: Huang, Allen, Notz and Zeng, Journal of
// Global Optimization 34, 2006).
//
// A pure function of its arguments: a search that was interrupted goes on from its evaluations. On
// another compiler a later point may differ in its last digits (gaussian_process.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/optimisation/gaussian_process.h"

namespace photon::analysis {

struct SearchOptions {
  // Sobol' points before the first model; 0: twice the number of factors, and six.
  std::size_t first_points = 0;
  // Evaluations of one point at the most. A point whose last evaluation had no noise has one.
  std::size_t most_repetitions = 4;
  std::uint64_t seed = 1;  // of the first points
};

// The point to evaluate next, rounded. One of the first points while there are fewer evaluations
// than that; then the one of the largest augmented expected improvement over the effective best:
// the model's mean at the evaluated point whose mean plus standard deviation is smallest. Nothing
// when every point of the space was evaluated often enough.
std::optional<SearchPoint> next_point(const SearchSpace& space,
                                      std::span<const Observation> evaluations,
                                      const SearchOptions& options = {});

// For `count` evaluations side by side: each chosen as if those before it had been evaluated with
// the mean of the model (the "Kriging believer" of Ginsbourger, Le Riche and Carraro, 2010). Fewer
// if the space has no more.
std::vector<SearchPoint> next_points(const SearchSpace& space,
                                     std::span<const Observation> evaluations, std::size_t count,
                                     const SearchOptions& options = {});

struct BestPoint {
  std::size_t evaluation = 0;  // the first one at that point
  Prediction prediction{};
};
// The evaluated point with the smallest mean of the model. It is a proposal: confirm it with seeds
// that the search has not used, because the smallest of many means is too small on average.
//
// Two evaluations or more.
BestPoint best_point(const SearchSpace& space, std::span<const Observation> evaluations);

}  // namespace photon::analysis
