#include "analysis/optimisation/search_space.h"

#include <algorithm>
#include <cmath>

#include "core_impl/base/check.h"

namespace photon::analysis {

std::size_t SearchSpace::value_at(std::size_t factor, double coordinate) const {
  const std::size_t count = values_[factor];
  const double place = std::max(0.0, coordinate) * static_cast<double>(count);
  return std::min(static_cast<std::size_t>(place), count - 1);
}

double SearchSpace::middle_of(std::size_t factor, std::size_t value) const {
  return (static_cast<double>(value) + 0.5) / static_cast<double>(values_[factor]);
}

SearchPoint SearchSpace::rounded(SearchPoint point) const {
  PHOTON_CHECK(point.size() == factors(), "a point has a coordinate for each factor");
  for (std::size_t factor = 0; factor < point.size(); ++factor) {
    double& coordinate = point[factor];
    if (is_real(factor)) {
      coordinate = std::clamp(std::round(coordinate / kGrain) * kGrain, 0.0, 1 - kGrain);
    } else {
      coordinate = middle_of(factor, value_at(factor, coordinate));
    }
  }
  return point;
}

}  // namespace photon::analysis
