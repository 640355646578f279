// Which of many factors matter: Morris' elementary effects (Technometrics 33, 1991), with the mean
// of their magnitudes by Campolongo, Cariboni and Saltelli (Environmental Modelling & Software 22,
// 2007).
//
// A trajectory begins at a random point of a grid and changes one factor after the other, in a
// random order, by half of the grid and a bit: delta = levels / (2 (levels - 1)). It needs one row
// more than there are factors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/sensitivity/designs.h"
#include "analysis/statistics/interval.h"

namespace photon::analysis {

// `levels`: an even number of at least two, of values of each factor from 0 to 1. Trajectory after
// trajectory. Values lie in [0, 1], and both ends are values.
Rows morris_rows(std::size_t trajectories, std::size_t factors, std::size_t levels,
                 std::uint64_t seed);

// Of one factor, in the unit of the figure: what it changes when the factor goes all its way.
struct ElementaryEffects {
  Estimate magnitude{};  // mu*: the mean of the absolute effects, over trajectories
  Estimate mean{};       // mu: near zero beside a large magnitude, its sign changes
  double spread = 0;     // sigma: the factor's effect is not linear, or depends on others
};

// `figures`: one for each of the rows. By factor.
std::vector<ElementaryEffects> elementary_effects(const Rows& rows,
                                                  std::span<const double> figures);

}  // namespace photon::analysis
