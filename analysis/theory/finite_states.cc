#include "analysis/theory/finite_states.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core_impl/base/check.h"

namespace photon::analysis::theory {

std::vector<double> mmck_states(double offered_erlangs, std::uint32_t servers,
                                std::uint32_t places) {
  PHOTON_CHECK(std::isfinite(offered_erlangs) && offered_erlangs >= 0, "a load is finite");
  PHOTON_CHECK(servers > 0 && places >= servers, "every server has a place");
  std::vector<double> states(std::size_t{places} + 1, 0.0);
  // The logarithm of an idle system is -infinity beyond the first state: exp() makes it 0.
  const double step =
      offered_erlangs > 0 ? std::log(offered_erlangs) : -std::numeric_limits<double>::infinity();
  for (std::uint32_t n = 1; n <= places; ++n) {
    states[n] = states[n - 1] + step - std::log(std::min(n, servers));
  }
  const double highest = *std::ranges::max_element(states);
  for (double& state : states) state = std::exp(state - highest);
  const double sum = std::accumulate(states.begin(), states.end(), 0.0);
  for (double& state : states) state /= sum;
  return states;
}

}  // namespace photon::analysis::theory
