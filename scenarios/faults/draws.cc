#include "scenarios/faults/draws.h"

#include <algorithm>

namespace photonsim::scenarios::swarm {

double Draws::spread(double low, double high) {
  const double logarithm = photon::reproducible_log(high / low) * photon::unit_interval(word());
  const double value = low * photon::reproducible_exp(logarithm);
  double unit = 1;
  while (unit * 100 <= value) unit *= 10;
  while (unit * 10 > value) unit /= 10;
  // Divides: a multiplication by a negative power of ten would not be exact.
  const double rounded =
      unit >= 1 ? std::floor(value / unit) * unit : std::floor(value / unit) / std::round(1 / unit);
  return std::clamp(rounded, low, high);
}

}  // namespace photonsim::scenarios::swarm
