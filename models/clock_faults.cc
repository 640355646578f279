#include "models/clock_faults.h"

#include <algorithm>

namespace photon::models {
Duration ClockFaults::added(const ClockFault& fault, SimTime at, SimTime synchronised) {
  switch (fault.trouble) {
    case ClockTrouble::offset:
      return fault.is_on(at) ? fault.by : Duration{};
    case ClockTrouble::drift:
      return fault.is_on(at) ? Duration(scaled((at - fault.from).count(), fault.rate_ppb))
                             : Duration{};
    case ClockTrouble::step:
      return fault.is_on(at) && synchronised <= fault.from ? fault.by : Duration{};
    case ClockTrouble::freeze:
    case ClockTrouble::lying_interval:
    case ClockTrouble::monotonic_drift:
      break;
  }
  return {};
}

Duration ClockFaults::lie(sim::HostId host, SimTime at) const {
  Duration sum{};
  for (const ClockFault& each : list_) {
    const bool lies = each.trouble == ClockTrouble::lying_interval && each.by != Duration{};
    if (!lies || !each.concerns(host) || !each.is_on(at)) continue;
    sum += each.by;
    feel(each);
  }
  return sum;
}

std::int64_t ClockFaults::monotonic_gain(sim::HostId host, SimTime at) const {
  std::int64_t sum = 0;
  for (const ClockFault& each : list_) {
    if (each.trouble != ClockTrouble::monotonic_drift || !each.concerns(host)) continue;
    const std::int64_t gain =
        scaled((std::clamp(at, each.from, each.until) - each.from).count(), each.rate_ppb);
    if (gain != 0) feel(each);
    sum += gain;
  }
  return sum;
}

}  // namespace photon::models
