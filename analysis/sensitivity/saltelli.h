// The design of Saltelli et al. (Computer Physics Communications 181, 2010) for indices of variance
// (sobol_indices.h): rows of two independent points A and B, and for each factor A with that
// factor's value of B. A row costs factors + 2 points.
#pragma once

#include "analysis/sensitivity/designs.h"

namespace photon::analysis {

// Row after row: A, B, then A with each factor of B in turn. A and B are the halves of `halves`,
// points of twice as many factors, such as sobol_points().
Rows saltelli_rows(const Rows& halves);

}  // namespace photon::analysis
