// A search for the smallest value of one figure where others must not exceed their bounds, such as
// the cheapest configuration under a bound of latency: expected improvement times the probability
// of meeting every bound (Schonlau, Welch and Jones, IMS Lecture Notes 34, 1998; Gardner et al.,
// ICML 2014), with a model for each figure.
//
// A pure function of its arguments, as search_step.h is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/optimisation/parego.h"

namespace photon::analysis {

// `evaluations`: values[0] is to be small, values[i] at most bounds[i - 1]. The point to evaluate
// next: improvement counts over the effective best of the evaluated points that more likely than
// not meet all bounds; without one the next point is the likeliest to meet them. Nothing when every
// point of the space was evaluated often enough.
std::optional<SearchPoint> next_bounded_point(const SearchSpace& space,
                                              std::span<const ObjectivesObservation> evaluations,
                                              std::span<const double> bounds,
                                              const SearchOptions& options = {});

struct BoundedBest {
  std::size_t evaluation = 0;             // the first one at that point
  std::vector<Prediction> predictions{};  // by figure
  double probability = 0;                 // of meeting all bounds, as if figures were independent
};
// Of the evaluated points that meet all bounds with at least this probability, the one with the
// smallest mean of the first figure; without one the likeliest to meet them. To be confirmed with
// seeds that the search has not used.
//
// Two evaluations or more.
BoundedBest best_bounded_point(const SearchSpace& space,
                               std::span<const ObjectivesObservation> evaluations,
                               std::span<const double> bounds, double probability = 0.5);

}  // namespace photon::analysis
