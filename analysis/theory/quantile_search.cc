#include "analysis/theory/quantile_search.h"

#include <cstdint>

#include <boost/math/tools/toms748_solve.hpp>

#include "analysis/theory/queue_domain.h"
#include "core_impl/base/check.h"

namespace photon::analysis::theory {

std::optional<double> quantile_of(const Tail& tail, double fraction, const QuantileSearch& search) {
  PHOTON_CHECK(search.scale > 0, "a search has a step");
  if (!is_quantile(fraction)) return {};
  const double wanted = 1 - fraction;
  if (tail(search.least) <= wanted) return search.least;
  double below = search.least;
  double above = search.least;
  double step = search.scale;
  constexpr int kDoublings = 60;
  for (int doubling = 0; doubling < kDoublings && tail(above) > wanted; ++doubling) {
    below = above;
    above = search.least + step;
    step *= 2;
  }
  if (!(tail(above) <= wanted)) return {};
  constexpr int kBits = 44;
  std::uintmax_t calls = 200;
  const auto excess = [&](double t) { return tail(t) - wanted; };
  const auto root = boost::math::tools::toms748_solve(
      excess, below, above, boost::math::tools::eps_tolerance<double>(kBits), calls);
  return root.second;
}

}  // namespace photon::analysis::theory
