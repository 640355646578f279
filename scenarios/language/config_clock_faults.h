// What happens on order to clocks: the [[faults.clock]] of a scenario (SPEC A-30..A-35). Part of
// config.h, whose head says how fields, defaults and sources are to be read.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "scenarios/language/config_log_faults.h"

namespace photonsim::scenarios {

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
  std::string process{};          // as in CrashFault; "" = servers that write ...
  LogKind log{LogKind::kClicks};  // ... these
  std::string server{"any"};      // the number of one of them, from 0; "any" = each
  ClockFaultKind kind{ClockFaultKind::kOffset};
  ClockDirection direction{ClockDirection::kForward};
  std::chrono::nanoseconds by{0};  // offset, step, lying_interval
  double rate{0};                  // drift, monotonic_drift: a fraction
  std::chrono::nanoseconds at{0};
  std::chrono::nanoseconds duration{0};  // key "for"; step: none
  bool operator==(const ClockFault&) const = default;
};

}  // namespace photonsim::scenarios
