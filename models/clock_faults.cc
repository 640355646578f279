#include "models/clock_faults.h"

#include <algorithm>
#include <cstdlib>

#include "core_impl/base/check.h"

namespace photon::models {
Duration ClockFaults::added(const ClockFault& fault, SimTime at, SimTime synchronised) {
  switch (fault.error) {
    case ClockError::offset:
      return fault.is_on(at) ? fault.by : Duration{};
    case ClockError::drift:
      return fault.is_on(at) ? Duration(scaled((at - fault.from).count(), fault.rate_ppb))
                             : Duration{};
    case ClockError::step:
      return fault.is_on(at) && synchronised <= fault.from ? fault.by : Duration{};
    case ClockError::freeze:
    case ClockError::lying_interval:
    case ClockError::monotonic_drift:
      break;
  }
  return {};
}

bool ClockFaults::lies(const ClockFault& fault, sim::HostId host, SimTime at) {
  return fault.error == ClockError::lying_interval && fault.by != Duration{} &&
         fault.concerns(host) && fault.is_on(at);
}

Duration ClockFaults::lie(sim::HostId host, SimTime at) const {
  Duration sum{};
  for (const ClockFault& each : list_) {
    if (lies(each, host, at)) sum += each.by;
  }
  return sum;
}

void ClockFaults::feel_lies(sim::HostId host, SimTime at) const {
  for (const ClockFault& each : list_) {
    if (lies(each, host, at)) feel(each.fault);
  }
}

std::int64_t ClockFaults::monotonic_gain(sim::HostId host, SimTime at) const {
  std::int64_t sum = 0;
  for (const ClockFault& each : list_) {
    if (each.error != ClockError::monotonic_drift || !each.concerns(host)) continue;
    PHOTON_CHECK(each.from <= each.until, "a fault ends after it begins");
    const std::int64_t elapsed = (std::clamp(at, each.from, each.until) - each.from).count();
    const std::int64_t gain = scaled(elapsed, each.rate_ppb);
    if (std::abs(gain) > scaled(elapsed, drift_ppb_) + kLeastFelt.count()) feel(each.fault);
    sum += gain;
  }
  return sum;
}

}  // namespace photon::models
