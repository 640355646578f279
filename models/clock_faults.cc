#include "models/clock_faults.h"

#include <algorithm>

namespace photon::models {
namespace {

constexpr std::int64_t kPartsPerBillion = 1'000'000'000;

// t * ppb / 10^9 without overflow for any t below 10^18 and |ppb| below 10^9.
constexpr std::int64_t at_rate(std::int64_t t, std::int64_t ppb) {
  return t / kPartsPerBillion * ppb + t % kPartsPerBillion * ppb / kPartsPerBillion;
}

}  // namespace

Duration ClockFaults::added(const ClockFault& fault, SimTime at, SimTime synchronised) {
  switch (fault.trouble) {
    case ClockTrouble::offset:
      return fault.is_on(at) ? fault.by : Duration{};
    case ClockTrouble::drift:
      return fault.is_on(at) ? Duration(at_rate((at - fault.from).count(), fault.rate_ppb))
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
        at_rate((std::clamp(at, each.from, each.until) - each.from).count(), each.rate_ppb);
    if (gain != 0) feel(each);
    sum += gain;
  }
  return sum;
}

}  // namespace photon::models
