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
  // mu*: the mean of the absolute effects, over trajectories. Its interval: percentiles of the
  // bootstrap over trajectories, because magnitudes are skewed and none is negative, expanded for
  // few of them (Hesterberg, The American Statistician 69, 2015).
  Estimate magnitude{};
  Estimate mean{};    // mu: near zero beside a large magnitude, its sign changes
  double spread = 0;  // sigma: the factor's effect is not linear, or depends on others
};

struct MorrisOptions {
  std::size_t resamples = 2000;
  double confidence = kConfidence;
};

// `rows` of morris_rows(), `figures` one for each. By factor. `seed` of the bootstrap. Intervals
// need two trajectories (Shortage::replications). Noise of a figure enters mu* and sigma: effects
// of a factor that does nothing have a standard deviation of sqrt(2) / delta times the noise's.
std::vector<ElementaryEffects> elementary_effects(const Rows& rows, std::span<const double> figures,
                                                  std::uint64_t seed,
                                                  const MorrisOptions& options = {});

}  // namespace photon::analysis
