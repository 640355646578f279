#include "analysis/theory/tail_decay.h"

#include <algorithm>
#include <cmath>

#include "core_impl/base/check.h"

namespace photon::analysis::theory {

double tail_decay(double load) {
  PHOTON_CHECK(load > 0 && load < 1, "a tail that decays");
  // The left side is convex, so Newton's steps from the right of the root fall towards it; both
  // starting points lie to the right for every load below 1.
  double y = std::min(2 * (1 / load - 1), 2 - 2 * std::log(load));
  constexpr int kSteps = 100;
  for (int step = 0; step < kSteps; ++step) {
    const double slope = load * std::exp(y) - 1;
    const double next = y - (load * std::expm1(y) - y) / slope;
    if (!(next < y)) break;
    y = next;
  }
  return y;
}

}  // namespace photon::analysis::theory
