// The choice of one point for the smallest value of a figure that is noisy and dear, where others
// must not exceed their bounds, such as the cheapest configuration under a bound of latency:
// expected improvement (efficient global optimisation: Jones, Schonlau and Welch, Journal of Global
// Optimization 13, 1998; with noise: Huang, Allen, Notz and Zeng, Journal of Global Optimization
// 34, 2006) times the probability of meeting every bound (Schonlau, Welch and Jones, IMS Lecture
// Notes 34, 1998; Gardner et al., ICML 2014).
#pragma once

#include <optional>
#include <span>

#include "analysis/optimisation/figure_model.h"

namespace photon::analysis {

// The point to evaluate next, rounded. `known`: the points that were evaluated or are believed in,
// at least one. Improvement counts over the effective best, the model's mean at the known point
// whose mean plus standard deviation is smallest among those that more likely than not meet all
// bounds; without one the next point is the likeliest to meet them. Nothing when every point of the
// space is exhausted.
std::optional<SearchPoint> next_bounded_point(const SearchSpace& space,
                                              const FigureModel& objective,
                                              const BoundedFigures& bounded,
                                              std::span<const SearchPoint> known,
                                              const Exhausted& exhausted);

}  // namespace photon::analysis
