// Faults of clocks (SPEC A-30..A-35): [[faults.truetime_outage]], [[faults.clock]].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/config/durations.h"
#include "scenarios/faults/log.h"

namespace photonsim::scenarios {

// Servers that generate events reach no TrueTime server: their clocks are not synchronised, and
// once e + rho * elapsed > epsilon they issue no ids until they are again (SPEC A-33). They belong
// to no datacenter.
struct TrueTimeOutageFault {
  static constexpr std::string_view kTable = "faults.truetime_outage";
  static constexpr bool kBoundedByClocks = true;
  LogKind log{LogKind::kQueries};  // servers that write these
  std::string server{"any"};       // the number of one of them, from 0; "any" = each
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const TrueTimeOutageFault&) const = default;
};

enum class ClockFaultKind : std::uint8_t {
  kOffset,          // "offset": the calendar clock is off
  kDrift,           // "drift": it gains or loses
  kStep,            // "step": it is set wrong, until the next synchronisation
  kFreeze,          // "freeze": it stands still
  kTrueTimeOutage,  // "truetime_outage": of a process: no synchronisation, wider intervals
  kLyingInterval,   // "lying_interval": TrueTime's interval does not contain true time
  kMonotonicDrift,  // "monotonic_drift": the clock of timers and leases gains or loses
};

enum class ClockDirection : std::uint8_t { kForward, kBack };

// The clocks of one process's host, or of servers that generate events.
struct ClockFault {
  static constexpr std::string_view kTable = "faults.clock";
  static constexpr bool kBoundedByClocks = true;
  std::string process{};          // as in CrashFault; "" = servers that write ...
  LogKind log{LogKind::kClicks};  // ... these
  std::string server{"any"};      // the number of one of them, from 0; "any" = each
  ClockFaultKind kind{ClockFaultKind::kOffset};
  ClockDirection direction{ClockDirection::kForward};
  Duration by{0};  // offset, step, lying_interval
  double rate{0};  // drift, monotonic_drift: a fraction
  Duration at{0};
  Duration duration{0};  // key "for"; step: none
  bool operator==(const ClockFault&) const = default;
};

struct Clocks;

// How far a fault may carry a calendar clock: what sync_error, drift and stamp_resolution leave
// of epsilon; below 0 if nothing (SPEC A-31).
Duration clock_room(const Clocks& clocks);

// Makes the fault carry its clock no farther than that. Requires a fault of the kinds that keep
// the bound, and some room.
void limit_to_room(const Clocks& clocks, ClockFault& fault);

}  // namespace photonsim::scenarios
