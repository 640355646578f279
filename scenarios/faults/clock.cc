// [[faults.truetime_outage]] and [[faults.clock]]: each kind has its own keys, and concerns a
// process or server that reads that clock. It keeps calendar clocks inside epsilon unless the
// scenario states that it breaks the bound.

#include "scenarios/faults/clock.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "core_impl/base/narrow.h"
#include "scenarios/config/config_names.h"
#include "scenarios/config/units.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/log.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/modelled_fault.h"
#include "scenarios/faults/servers.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios {
namespace clock_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

namespace models = photon::models;
using photon::SimTime;

struct ClockKind {
  ClockFaultKind kind;
  std::string_view word;
  CountedKind counted;
  bool has_amount = false;
  bool has_rate = false;
  std::optional<models::ClockError> error{};  // none: an outage of TrueTime
};
// By enumerator.
constexpr std::array kKinds{
    ClockKind{ClockFaultKind::kOffset,
              "offset",
              {"clock.offset",
               "A process or server acted by a calendar clock that was off by more than usual.",
               ShownBy::swarm_contract},
              true,
              false,
              models::ClockError::offset},
    ClockKind{ClockFaultKind::kDrift,
              "drift",
              {"clock.drift",
               "A process or server acted by a calendar clock that was off by more than usual.",
               ShownBy::swarm_contract},
              false,
              true,
              models::ClockError::drift},
    ClockKind{ClockFaultKind::kStep,
              "step",
              {"clock.step",
               "A process or server acted by a calendar clock that was off by more than usual.",
               ShownBy::swarm},
              true,
              false,
              models::ClockError::step},
    ClockKind{ClockFaultKind::kFreeze,
              "freeze",
              {"clock.freeze",
               "A process or server acted by a calendar clock that was off by more than usual.",
               ShownBy::swarm},
              false,
              false,
              models::ClockError::freeze},
    ClockKind{ClockFaultKind::kTrueTimeOutage,
              "truetime_outage",
              {"clock.truetime_outage",
               "A process read an interval wider by a hundredth, or a calendar clock that was not "
               "synchronised.",
               ShownBy::swarm},
              false,
              false},
    ClockKind{ClockFaultKind::kLyingInterval,
              "lying_interval",
              {"clock.lying_interval",
               "A process read an interval that does not contain true time.", ShownBy::contract},
              true,
              false,
              models::ClockError::lying_interval},
    ClockKind{
        ClockFaultKind::kMonotonicDrift,
        "monotonic_drift",
        {"clock.monotonic_drift",
         "A timer or lease ran by a clock that gained or lost more than usual.", ShownBy::contract},
        false,
        true,
        models::ClockError::monotonic_drift}};
static_assert(in_order(kKinds, &ClockKind::kind));
constexpr auto kWords = words_of(kKinds);
constexpr auto kCounted = counted_of(kKinds);
constexpr std::array kOutageKinds{
    CountedKind{"truetime_outage",
                "A server acted by a calendar clock that a synchronisation had not reached."}};
constexpr std::array<std::string_view, 2> kWays{"forward", "back"};

const ClockKind& kind_of(ClockFaultKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

constexpr std::array kTrueTimeOutageRows{
    row<&TrueTimeOutageFault::log>({"log",
                                    Kind::kChoice,
                                    {},
                                    "Servers that write these logs.",
                                    "SPEC A-33",
                                    kLogWords,
                                    {},
                                    true}),
    row<&TrueTimeOutageFault::server>(
        {"server", Kind::kName, {}, "One of them, from 0; \"any\": all.", "M"}),
    row<&TrueTimeOutageFault::at>({"at",
                                   Kind::kDuration,
                                   kTime,
                                   "From then on their clocks are not synchronised.",
                                   "M",
                                   {},
                                   {},
                                   true}),
    row<&TrueTimeOutageFault::duration>({"for",
                                         Kind::kDuration,
                                         kSpan,
                                         "How long; once a clock may have left its bound, its "
                                         "server issues no ids until the next synchronisation.",
                                         "M",
                                         {},
                                         {},
                                         true}),
};
constexpr std::array kClockFaultRows{
    row<&ClockFault::process>({"process",
                               Kind::kName,
                               {},
                               "A process, named as in faults.crash: the clocks of its host; \"\": "
                               "servers that write logs.",
                               "SPEC A-30"}),
    row<&ClockFault::log>(
        {"log", Kind::kChoice, {}, "Servers that write these logs.", "M", kLogWords}),
    row<&ClockFault::server>(
        {"server", Kind::kName, {}, "One of them, from 0; \"any\": all.", "M"}),
    row<&ClockFault::kind>(
        {"kind",
         Kind::kChoice,
         {},
         "The calendar clock is off (offset), gains or loses (drift), is set wrong until the next "
         "synchronisation (step), stands still (freeze); TrueTime cannot be reached "
         "(truetime_outage) or is wrong (lying_interval); the clock of timers and leases gains or "
         "loses (monotonic_drift).",
         "SPEC A-30",
         kWords,
         {},
         true}),
    row<&ClockFault::direction>({"direction", Kind::kChoice, {}, "Of by and rate.", "M", kWays}),
    row<&ClockFault::by>(
        {"by", Kind::kDuration, kTime, "Of offset, step and lying_interval: how far.", "M"}),
    row<&ClockFault::rate>({"rate", Kind::kFraction, at_most(0.4),
                            "Of drift and monotonic_drift: the error of the clock's rate.", "M"}),
    row<&ClockFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&ClockFault::duration>(
        {"for", Kind::kDuration, kTime, "How long; of a step: not stated.", "M"}),
};

// A server without ids generates no events. Events of a trace or of an explicit list are given.
void check(Validation& v, const std::string& path, const TrueTimeOutageFault& outage) {
  check_start(v, path + ".at", outage.at);
  if (v.config().workload.kind != WorkloadKind::kSynthetic) {
    v.refuse({path, "workload.kind"},
             "servers that issue no ids would leave out events that this workload says happened",
             "workload.kind = \"synthetic\" has servers that can stop (SPEC A-33)");
    return;
  }
  check_log_server(v, path, outage.log, outage.server);
}

void check_keys(Validation& v, const std::string& path, const ClockFault& fault) {
  if (kind_of(fault.kind).has_amount != (fault.by > Duration{0})) {
    v.refuse(
        {path + ".by", path + ".kind"},
        kind_of(fault.kind).has_amount ? "this fault moves nothing" : "this kind has no amount",
        "by belongs to offset, step and lying_interval, and is above 0");
  }
  if (kind_of(fault.kind).has_rate != (fault.rate > 0)) {
    v.refuse(
        {path + ".rate", path + ".kind"},
        kind_of(fault.kind).has_rate ? "this clock runs as it should" : "this kind has no rate",
        "rate belongs to drift and monotonic_drift, and is above 0");
  }
  const bool lasts = fault.kind != ClockFaultKind::kStep;
  if (lasts != (fault.duration > Duration{0})) {
    v.refuse({path + ".for", path + ".kind"},
             lasts ? "this fault ends when it begins"
                   : "a step lasts until the clock is synchronised again",
             lasts ? "state its length with `for`" : "leave `for` out, or kind = \"offset\"");
  }
}

void check_host(Validation& v, const std::string& path, const ClockFault& fault) {
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
                    "leases depend on the rate of this clock; clocks.drift bounds its error",
                    "state clocks.violate_clock_bound = true: damage is then to be expected");
  }
  const Duration room = clock_room(clocks);
  const Duration most = carries(clocks, fault);
  if (most <= room) return;
  v.refuse({path, "clocks.epsilon", "clocks.violate_clock_bound"},
           fmt::format("this carries a clock by {}; sync_error, drift and stamp_resolution "
                       "leave {} of epsilon (SPEC A-31)",
                       format_duration(most), format_duration(std::max(room, Duration{0}))),
           "carry it less far, raise clocks.epsilon, or state clocks.violate_clock_bound = true");
}

void check(Validation& v, const std::string& path, const ClockFault& fault) {
  const std::optional<Duration>& end = v.config().run.duration;
  if (!end) {
    v.refuse({path, "run.duration"},
             "clock faults end when generation ends, so the length of generation must be known",
             "state run.duration");
  } else if (fault.at >= *end) {
    v.refuse({path + ".at", "run.duration"},
             fmt::format("this fault begins at {}, but the run generates until {} only",
                         format_duration(fault.at), format_duration(*end)),
             "faults end when generation ends (SPEC J-P0)");
  }
  check_keys(v, path, fault);
  check_host(v, path, fault);
  check_bound(v, path, fault);
}

// The hosts of servers that generate events, by their first.
struct Hosts {
  photon::sim::HostId first{};
  std::uint32_t count = 1;
};

Hosts servers(const Modelling& modelling, LogKind log, const std::string& server) {
  const std::optional<std::uint64_t> one = server_number(server);
  const std::uint64_t first = modelling.deployment.first_server_host.value() +
                              servers_before(modelling.config, log) + one.value_or(0);
  return {photon::sim::HostId(photon::narrow<std::uint32_t>(first)),
          one ? 1 : photon::narrow<std::uint32_t>(servers_of(modelling.config, log))};
}

Hosts hosts_of(const Modelling& modelling, const ClockFault& fault) {
  if (fault.process.empty()) return servers(modelling, fault.log, fault.server);
  const sim::Topology& topology = modelling.deployment.topology;
  return {topology.process(process_named(topology, fault.process)).host, 1};
}

std::string server_text(LogKind log, const std::string& server) {
  return fmt::format("the {} server {}", log == LogKind::kQueries ? "query" : "click", server);
}

void model(const Modelling& modelling, const TrueTimeOutageFault& outage) {
  const Hosts hosts = servers(modelling, outage.log, outage.server);
  modelling.faults.truetime.push_back({modelling.key, hosts.first, hosts.count, SimTime(outage.at),
                                       SimTime(outage.at + outage.duration)});
}

// When all is healed clocks are right as well (J-P0).
Duration lasts(const Config& config, const ClockFault& fault) {
  const Duration healed = config.run.duration.value_or(Duration::max());
  const bool is_step = fault.kind == ClockFaultKind::kStep;
  return (is_step ? healed : std::min(healed, fault.at + fault.duration)) - fault.at;
}

void model(const Modelling& modelling, const ClockFault& fault) {
  const Hosts hosts = hosts_of(modelling, fault);
  const SimTime from(fault.at);
  const SimTime until = from + lasts(modelling.config, fault);
  const auto error = kind_of(fault.kind).error;
  if (!error) {
    modelling.faults.truetime.push_back({modelling.key, hosts.first, hosts.count, from, until});
    return;
  }
  const std::int64_t sign = fault.direction == ClockDirection::kBack ? -1 : 1;
  const auto ppb = static_cast<std::int64_t>(fault.rate * 1e9);
  modelling.faults.clocks.push_back(
      {modelling.key, *error, hosts.first, hosts.count, from, until, sign * fault.by, sign * ppb});
}

ScriptedFault lower(const Lowering& lowering, const TrueTimeOutageFault& outage,
                    std::size_t /*number*/) {
  return {fault_of(
      {outage.at, outage.duration},
      ModelledFault{
          lowering.key, &lowering.numbers, "of " + server_text(outage.log, outage.server), {}},
      kOutageKinds.front().name)};
}

ScriptedFault lower(const Lowering& lowering, const ClockFault& fault, std::size_t /*number*/) {
  ModelledFault action{
      lowering.key, &lowering.numbers, "of " + server_text(fault.log, fault.server), {}};
  if (!fault.process.empty()) {
    const sim::Topology& topology = lowering.topology;
    action.concerned = "of " + fault.process;
    action.where = topology.process(process_named(topology, fault.process)).datacenter;
  }
  return {fault_of({fault.at, lasts(lowering.config, fault)}, std::move(action),
                   kind_of(fault.kind).counted.name)};
}

void generate_outage(Config& config, const Targets& targets, Draws& draws) {
  config.faults.of<TrueTimeOutageFault>().push_back(
      {draws.one_of({LogKind::kQueries, LogKind::kClicks}), "any", targets.when(draws),
       draws.time(1s, 60s)});
}

// Stays inside the bound: uses what clock_room leaves of epsilon.
void generate(Config& config, const Targets& targets, Draws& draws) {
  ClockFault clock;
  clock.kind = draws.one_of({ClockFaultKind::kOffset, ClockFaultKind::kDrift, ClockFaultKind::kStep,
                             ClockFaultKind::kFreeze, ClockFaultKind::kTrueTimeOutage});
  // Log servers read their clocks all the time, so a short freeze takes effect there.
  const bool freeze = clock.kind == ClockFaultKind::kFreeze;
  const bool of_process = draws.chance(freeze ? 0.2 : 0.6) || !targets.has_logs();
  if (of_process) {
    clock.process = targets.process(draws);
  } else {
    clock.log = draws.one_of({LogKind::kQueries, LogKind::kClicks});
  }
  if (clock.kind == ClockFaultKind::kTrueTimeOutage && !of_process)
    clock.kind = ClockFaultKind::kFreeze;
  clock.direction = draws.one_of({ClockDirection::kForward, ClockDirection::kBack});
  clock.at = targets.when(draws);
  const Duration room = targets.clock_room();
  if (room < 100us) return;
  const Duration carried = draws.time(50us, room);
  switch (clock.kind) {
    case ClockFaultKind::kStep:
      clock.by = carried;
      break;
    case ClockFaultKind::kOffset:
      clock.by = carried;
      clock.duration = draws.time(200ms, 40s);
      break;
    case ClockFaultKind::kDrift:
      clock.duration = draws.time(1s, 40s);
      clock.rate =
          draws.share(1e-6, std::min(0.3, static_cast<double>(room.count()) /
                                              static_cast<double>(clock.duration.count())));
      break;
    case ClockFaultKind::kFreeze:
      // A freeze must be short; a process must read the clock meanwhile for it to take effect.
      clock.duration = draws.time(std::max<Duration>(room / 4, 50us), room);
      break;
    default:  // an outage; drift x duration must fit as well
      clock.duration = std::min<Duration>(draws.time(1s, 60s), targets.longest_outage());
      break;
  }
  config.faults.of<ClockFault>().push_back(clock);
}

constexpr std::array kOutageGenerators{FaultGenerator{15, generate_outage, Needs::pipelines}};
constexpr std::array kClockGenerators{FaultGenerator{10, generate}};

void add_unsynchronised(const Faults& faults, Consequences& all) {
  if (!faults.of<TrueTimeOutageFault>().empty()) all.unsynchronised_servers = true;
}

}  // namespace

constinit const FaultTable kTrueTimeOutages{
    .schema = fault_rows<kTrueTimeOutageRows, TrueTimeOutageFault>(
        "Servers of queries or clicks that reach no TrueTime server (synthetic workload only)."),
    .script = script_of<TrueTimeOutageFault>(),
    .kinds = kOutageKinds,
    .check = check_entry<TrueTimeOutageFault, check>,
    .turn = 16,
    .lower = lower_entry<TrueTimeOutageFault, lower>,
    .model = model_entry<TrueTimeOutageFault, model>,
    .consequences = add_unsynchronised,
    .generators = kOutageGenerators};

constinit const FaultTable kClockFaults{
    .schema = fault_rows<kClockFaultRows, ClockFault>(
        "Faults of the clocks of a process's host, or of servers that write logs."),
    .script = script_of<ClockFault>(),
    .kinds = kCounted,
    .check = check_entry<ClockFault, check>,
    .turn = 17,
    .lower = lower_entry<ClockFault, lower>,
    .model = model_entry<ClockFault, model>,
    .generators = kClockGenerators};

}  // namespace clock_faults

Duration clock_room(const Clocks& clocks) {
  const double wander = clocks.drift * static_cast<double>(clocks.sync_period.count());
  return clocks.epsilon - clocks.stamp_resolution - clocks.sync_error -
         Duration(static_cast<std::int64_t>(wander) + 2);
}

void limit_to_room(const Clocks& clocks, ClockFault& fault) {
  const Duration room = clock_room(clocks);
  PHOTON_CHECK(room > Duration{0}, "there is room for a fault of a clock");
  if (clock_faults::carries(clocks, fault) <= room) return;
  const auto longest = [&](double rate) {
    return Duration(static_cast<std::int64_t>(static_cast<double>(room.count()) / rate));
  };
  switch (fault.kind) {
    case ClockFaultKind::kOffset:
    case ClockFaultKind::kStep:
      fault.by = room;
      return;
    case ClockFaultKind::kDrift:
      fault.duration = longest(fault.rate);
      return;
    case ClockFaultKind::kFreeze:
      fault.duration = room;
      return;
    case ClockFaultKind::kTrueTimeOutage:
      fault.duration = longest(clocks.drift);
      return;
    case ClockFaultKind::kLyingInterval:
    case ClockFaultKind::kMonotonicDrift:
      break;
  }
  PHOTON_CHECK(false, "a fault that breaks the bound has no limit");
}

std::string_view counted_as(ClockFaultKind kind) {
  return clock_faults::kind_of(kind).counted.name;
}

}  // namespace photonsim::scenarios
