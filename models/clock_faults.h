// Planned faults of host clocks. All of them are known before the run, so that readings stay pure
// functions of (seed, host, time); clocks.h adds them to the usual reading.
//
//   offset           the calendar clock is off by `by`, whatever is synchronised meanwhile
//   drift            it gains (loses) at a rate of its own; at the end it is set right
//   step             it is set wrong once; the next synchronisation sets it right
//   freeze           it stands still; at the end it is set right
//   lying_interval   TrueTime's interval is moved by `by`, and need not contain true time
//   monotonic_drift  the monotonic clock runs at another rate; it never decreases, so its gain or
//                    loss stays
//
// The first four keep the clock inside its bound as long as the scenario's clocks respect
// it: larger errors are clamped to the bound. The last two break an assumption in any case.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "core_impl/base/time.h"
#include "sim/ports.h"

namespace photon::models {

// t * ppb / 10^9 without overflow for any t below 10^18 and |ppb| below 10^9.
constexpr std::int64_t scaled(std::int64_t t, std::int64_t ppb) {
  constexpr std::int64_t kPartsPerBillion = 1'000'000'000;
  return t / kPartsPerBillion * ppb + t % kPartsPerBillion * ppb / kPartsPerBillion;
}

enum class ClockError : std::uint8_t {
  offset,
  drift,
  step,
  freeze,
  lying_interval,
  monotonic_drift
};

struct ClockFault {
  std::uint32_t fault = 0;  // its number in the run
  ClockError error = ClockError::offset;
  sim::HostId first{};      // the hosts
  std::uint32_t hosts = 1;  // from there on
  SimTime from{};
  SimTime until{};  // step: until the next synchronisation at the latest
  // offset, step, lying_interval: forwards if positive
  Duration by{};
  // drift, monotonic_drift: in billionths, above -1/2 and below 1/2; fast if positive
  std::int64_t rate_ppb = 0;

  bool concerns(sim::HostId host) const {
    return host.value() >= first.value() && host.value() - first.value() < hosts;
  }
  bool is_on(SimTime at) const { return from <= at && at < until; }
};

// What the faults of a run add to readings, and which of them took effect. A fault takes effect
// when a process acts by a reading that would have been different without it, by more than the
// usual error of such clocks.
//   offset, drift, step, freeze  the calendar clock, by more than a synchronisation leaves
//                                (HostClocks::least_felt)
//   lying_interval               the interval did not contain true time
//   monotonic_drift              by more than clocks may drift in that time (`drift_ppb`), and
//                                kLeastFelt
// and an outage of TrueTime (clocks.h): an interval wider by more than a hundredth, or a calendar
// clock that a synchronisation had not reached.
class ClockFaults {
 public:
  static constexpr Duration kLeastFelt = std::chrono::microseconds(1);

  ClockFaults(std::vector<ClockFault> list, std::int64_t drift_ppb)
      : list_(std::move(list)), drift_ppb_(drift_ppb) {}

  std::span<const ClockFault> list() const { return list_; }
  bool empty() const { return list_.empty(); }

  // What it adds to the calendar clock of one of its hosts at `at`. `synchronised`: the last
  // synchronisation by then. A freeze adds nothing here: the frozen reading is not known.
  static Duration added(const ClockFault& fault, SimTime at, SimTime synchronised);
  // How far TrueTime's interval is moved there.
  Duration lie(sim::HostId host, SimTime at) const;
  // A process acts by an interval that does not contain true time because of a lie.
  void feel_lies(sim::HostId host, SimTime at) const;
  // How far the monotonic clock is ahead, in ns. The caller acts by it.
  std::int64_t monotonic_gain(sim::HostId host, SimTime at) const;

  void feel(std::uint32_t fault) const { felt_.insert(fault); }
  bool was_felt(std::uint32_t fault) const { return felt_.count(fault) > 0; }

 private:
  static bool lies(const ClockFault& fault, sim::HostId host, SimTime at);

  std::vector<ClockFault> list_;
  std::int64_t drift_ppb_;
  mutable std::set<std::uint32_t> felt_;
};

}  // namespace photon::models
