// Rules of [[faults.clock]]: each kind has its own keys, strikes somebody who reads that clock, and
// keeps calendar clocks inside epsilon unless the scenario says that it breaks the bound.

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/language/config_names.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/language/config_validate_names.h"
#include "scenarios/language/units.h"

namespace photonsim::scenarios {
namespace {

bool has_amount(ClockFaultKind kind) {
  return kind == ClockFaultKind::kOffset || kind == ClockFaultKind::kStep ||
         kind == ClockFaultKind::kLyingInterval;
}

bool has_rate(ClockFaultKind kind) {
  return kind == ClockFaultKind::kDrift || kind == ClockFaultKind::kMonotonicDrift;
}

void check_keys(Validation& v, const std::string& path, const ClockFault& fault) {
  if (has_amount(fault.kind) != (fault.by > Duration{0})) {
    v.refuse({path + ".by", path + ".kind"},
             has_amount(fault.kind) ? "this fault moves nothing" : "this kind has no amount",
             "by belongs to offset, step and lying_interval, and is more than nothing");
  }
  if (has_rate(fault.kind) != (fault.rate > 0)) {
    v.refuse({path + ".rate", path + ".kind"},
             has_rate(fault.kind) ? "this clock runs as it should" : "this kind has no rate",
             "rate belongs to drift and monotonic_drift, and is above 0");
  }
  const bool lasts = fault.kind != ClockFaultKind::kStep;
  if (lasts != (fault.duration > Duration{0})) {
    v.refuse({path + ".for", path + ".kind"},
             lasts ? "this fault ends when it begins"
                   : "a step lasts until the clock is synchronised again",
             lasts ? "say how long with `for`" : "leave `for` out, or kind = \"offset\"");
  }
}

void check_whose(Validation& v, const std::string& path, const ClockFault& fault) {
  if (!fault.process.empty()) {
    check_process(v, path + ".process", fault.process);
    if (fault.server != ClockFault{}.server) {
      v.refuse({path + ".server", path + ".process"}, "these are two different hosts",
               "name the process, or the server");
    }
    return;
  }
  const bool calendar = fault.kind != ClockFaultKind::kTrueTimeOutage &&
                        fault.kind != ClockFaultKind::kLyingInterval &&
                        fault.kind != ClockFaultKind::kMonotonicDrift;
  if (!calendar) {
    v.refuse({path + ".process", path + ".kind"},
             "servers that generate events read their calendar clock alone",
             "name a process; [[faults.truetime_outage]] is for such servers");
  }
  const std::optional<std::uint64_t> server = server_number(fault.server);
  const std::uint64_t servers = servers_of(v.config(), fault.log);
  if (v.config().registry_only()) {
    v.refuse({path, "workload.kind"}, "a registry workload has no servers that write logs",
             "name a process");
  } else if (fault.server != "any" && !(server && *server < servers)) {
    v.refuse({path + ".server", "workload"}, fmt::format("there is no server \"{}\"", fault.server),
             fmt::format("\"any\", or a number from 0 to {}", servers - 1));
  }
}

// How far the fault carries the calendar clock.
Duration carries(const Clocks& clocks, const ClockFault& fault) {
  const auto scaled = [&](double rate) {
    return Duration(static_cast<std::int64_t>(rate * static_cast<double>(fault.duration.count())));
  };
  switch (fault.kind) {
    case ClockFaultKind::kOffset:
    case ClockFaultKind::kStep:
      return fault.by;
    case ClockFaultKind::kDrift:
      return scaled(fault.rate);
    case ClockFaultKind::kFreeze:
      return scaled(1);
    case ClockFaultKind::kTrueTimeOutage:
      return scaled(clocks.drift);
    case ClockFaultKind::kLyingInterval:
    case ClockFaultKind::kMonotonicDrift:
      break;
  }
  return Duration{0};
}

void check_bound(Validation& v, const std::string& path, const ClockFault& fault) {
  const Clocks& clocks = v.config().clocks;
  if (clocks.violate_clock_bound) return;
  if (fault.kind == ClockFaultKind::kLyingInterval) {
    return v.refuse({path + ".kind", "clocks.violate_clock_bound"},
                    "TrueTime's interval would not contain true time (SPEC A-30)",
                    "state clocks.violate_clock_bound = true: damage is then to be expected");
  }
  if (fault.kind == ClockFaultKind::kMonotonicDrift) {
    return v.refuse({path + ".kind", "clocks.violate_clock_bound"},
                    "leases rest on the rate of this clock: clocks.drift is what it may be off by",
                    "state clocks.violate_clock_bound = true: damage is then to be expected");
  }
  const double wander = clocks.drift * static_cast<double>(clocks.sync_period.count());
  const Duration room =
      clocks.epsilon - clocks.sync_error - Duration(static_cast<std::int64_t>(wander) + 2);
  const Duration most = carries(clocks, fault);
  if (most <= room) return;
  v.refuse({path, "clocks.epsilon", "clocks.violate_clock_bound"},
           fmt::format("this carries a clock by {}; sync_error and drift leave {} of epsilon "
                       "(SPEC A-31)",
                       format_duration(most), format_duration(std::max(room, Duration{0}))),
           "carry it less far, raise clocks.epsilon, or state clocks.violate_clock_bound = true");
}

}  // namespace

void validate_clock_faults(Validation& v) {
  const auto& faults = v.config().faults.clocks;
  const std::optional<Duration>& end = v.config().run.duration;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::string path = fmt::format("faults.clock.{}", i);
    if (!end) {
      v.refuse({path, "run.duration"},
               "clock faults end when generation ends, and are known before: the run must say "
               "when that is",
               "state run.duration");
    } else if (faults[i].at >= *end) {
      v.refuse({path + ".at", "run.duration"},
               fmt::format("this fault begins at {}, but the run generates until {} only",
                           format_duration(faults[i].at), format_duration(*end)),
               "faults end when generation ends (SPEC J-P0)");
    }
    check_keys(v, path, faults[i]);
    check_whose(v, path, faults[i]);
    check_bound(v, path, faults[i]);
  }
}

}  // namespace photonsim::scenarios
