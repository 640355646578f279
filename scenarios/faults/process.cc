// [[faults.crash]], [[faults.pause]], [[faults.cache_loss]]: keys, rules, lowering and generation.

#include "scenarios/faults/process.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/deployment/components.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/disk.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios {
namespace process_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

constexpr CountedKind kLoop{"restart_loop", "The process crashed a second time.", ShownBy::swarm,
                            Counts::as_series};
constexpr CountedKind kResetDisk{
    "reset_disk", "A replica lost its disk and got one that is set up as for a new group.",
    ShownBy::contract};
constexpr std::array kCrashKinds{
    CountedKind{sim::CrashProcess::kName,
                "A running process crashed, or a crashed one stayed down longer."},
    CountedKind{sim::StopProcess::kName, "The process finished its work and ended."},
    CountedKind{sim::CrashHost::kName, "A process of the host crashed."},
    CountedKind{sim::LoseDisk::kName, "A disk with files was lost.", ShownBy::swarm_contract},
    kLoop,
    kResetDisk};
// A pause longer than the lease that such a process may hold.
constexpr CountedKind kLongPause{"long_pause",
                                 "An event for the process waited as long as its lease."};
constexpr std::array kPauseKinds{
    CountedKind{sim::PauseProcess::kName, "An event for the process waited."}, kLongPause};
constexpr std::array kCacheLossKinds{CountedKind{kCacheLossName, "The cache held something."}};

constexpr std::array kCrashRows{
    row<&CrashFault::process>(
        {"process",
         Kind::kName,
         {},
         "A process: \"us-east1/joiner/3\", or \"registry/2@us-east4\" for shard 2's replica.",
         "M",
         {},
         {},
         true}),
    row<&CrashFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&CrashFault::restart_after>(
        {"restart_after", Kind::kDuration, kTime, "Time until it is started again.", "M"}),
    row<&CrashFault::lose_disk>({"lose_disk", Kind::kBoolean, kAny,
                                 "Its disk is lost too: a registry replica.", "SPEC B-18"}),
    row<&CrashFault::as_new>({"as_new", Kind::kBoolean, kAny,
                              "With lose_disk: its new disk is set up as for a new group, so it "
                              "votes without an admission (contract tier).",
                              "SPEC B-18"}),
    row<&CrashFault::gracefully>({"gracefully", Kind::kBoolean, kAny,
                                  "It is asked to stop, and finishes its work first; "
                                  "restart_after counts from its end.",
                                  "SPEC D-23"}),
    row<&CrashFault::whole_host>({"whole_host", Kind::kBoolean, kAny,
                                  "Its host crashes: what its disk was not asked to sync is lost.",
                                  "SPEC A-25"}),
    row<&CrashFault::times>({"times", Kind::kCount, between(1, 1000),
                             "Number of crashes; above 1: a restart loop.", "M"}),
    row<&CrashFault::up_for>({"up_for", Kind::kDuration, kTime,
                              "Of a restart loop: the time from a restart to the next crash.",
                              "M"}),
};
constexpr std::array kPauseRows{
    row<&PauseFault::process>({"process",
                               Kind::kName,
                               {},
                               "A process, named as in faults.crash.",
                               "SPEC C-06",
                               {},
                               {},
                               true}),
    row<&PauseFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&PauseFault::duration>(
        {"for", Kind::kDuration, kSpan, "How long it does nothing.", "M", {}, {}, true}),
};
constexpr std::array kCacheLossRows{
    row<&CacheLossFault::process>({"process",
                                   Kind::kName,
                                   {},
                                   "A cache, as in \"us-east1/cache/0\".",
                                   "SPEC E-08",
                                   {},
                                   {},
                                   true}),
    row<&CacheLossFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
};

void check(Validation& v, const std::string& path, const CrashFault& crash) {
  check_start(v, path + ".at", crash.at);
  check_process(v, path + ".process", crash.process);
  const std::optional<ProcessName> process = parse_process(crash.process);
  const bool has_disk = process && (process->role == "registry" || process->role == "sharding");
  if (crash.lose_disk && process && !has_disk) {
    v.refuse({path + ".lose_disk", path + ".process"},
             fmt::format("a {} keeps nothing on a disk of its own", process->role),
             "a replica of the registry or of its configuration group does");
  }
  const bool contract = v.config().scenario.tier == Tier::kContract;
  if (crash.as_new && (!crash.lose_disk || !contract)) {
    v.refuse({path + ".as_new", path + ".lose_disk", "scenario.tier"},
             "a disk is set up as new when one was lost, and no group tolerates that",
             "lose_disk = true and scenario.tier = \"contract\", or as_new = false");
  }
  const int ways = int{crash.lose_disk} + int{crash.gracefully} + int{crash.whole_host};
  if (ways > 1) {
    v.refuse({path + ".gracefully", path + ".lose_disk", path + ".whole_host"},
             "a process ends in one way: gracefully, with its host, or with its disk",
             "one of the three");
  }
}

void check(Validation& v, const std::string& path, const PauseFault& pause) {
  check_start(v, path + ".at", pause.at);
  check_process(v, path + ".process", pause.process);
}

void check(Validation& v, const std::string& path, const CacheLossFault& loss) {
  check_start(v, path + ".at", loss.at);
  check_process(v, path + ".process", loss.process);
  const std::optional<ProcessName> process = parse_process(loss.process);
  if (!process || process->role == "cache") return;
  v.refuse({path + ".process", path}, fmt::format("a {} is no cache", process->role),
           "as in \"us-east1/cache/0\"");
}

sim::Action crash_action(const CrashFault& crash, const sim::Topology& topology) {
  const photon::NodeId node = process_named(topology, crash.process);
  if (crash.gracefully) return sim::StopProcess{node, std::nullopt};
  if (crash.lose_disk) {
    return sim::LoseDisk{topology.process(node).host,
                         crash.as_new ? sim::NewDisks::as_deployed : sim::NewDisks::empty};
  }
  if (crash.whole_host) return sim::CrashHost{topology.process(node).host};
  return sim::CrashProcess{{node}, std::nullopt};
}

ScriptedFault lower(const Lowering& lowering, const CrashFault& crash, std::size_t /*number*/) {
  ScriptedFault faults;
  const std::string_view kind = crash.times > 1 ? kLoop.name
                                : crash.as_new  ? kResetDisk.name
                                                : std::string_view{};
  Duration at = crash.at;
  for (std::uint64_t i = 0; i < crash.times; ++i) {
    faults.push_back(
        fault_of({at, crash.restart_after}, crash_action(crash, lowering.topology), kind));
    at += crash.restart_after + crash.up_for;
  }
  return faults;
}

ScriptedFault lower(const Lowering& lowering, const PauseFault& pause, std::size_t /*number*/) {
  return {fault_of({pause.at, pause.duration},
                   sim::PauseProcess{process_named(lowering.topology, pause.process)})};
}

ScriptedFault lower(const Lowering& lowering, const CacheLossFault& loss, std::size_t /*number*/) {
  return {fault_of({loss.at, Duration::zero()},
                   sim::LoseMemory{process_named(lowering.topology, loss.process)},
                   kCacheLossName)};
}

// Replicas hold the leases of masters; whatever else a process of Photon holds for a time it holds
// as long as the state of a partition.
Duration lease_of(const Config& config, const sim::ProcessInfo& process) {
  return process.component == component::kRegistry ? config.registry.lease
                                                   : config.dispatcher.lease;
}

void note_long_pause(const Config& config, const sim::Topology& topology, sim::Fault& fault) {
  auto* const pause = fault.action.get_if<sim::PauseProcess>();
  if (pause == nullptr) return;
  const Duration lease = lease_of(config, topology.process(pause->process));
  if (fault.duration <= lease) return;
  fault.kind = kLongPause.name;
  pause->least = lease;
}

// The longest of one process: its pauses may follow one another.
void add_pauses(const Faults& faults, Consequences& all) {
  Duration paused{0};
  for (const PauseFault& first : faults.of<PauseFault>()) {
    Duration stop{0};
    for (const PauseFault& pause : faults.of<PauseFault>()) {
      if (pause.process == first.process) stop += pause.duration;
    }
    paused = std::max(paused, stop);
  }
  all.answers_held += paused;
}

void add_lost_disks(const Faults& faults, Consequences& all) {
  for (const CrashFault& crash : faults.of<CrashFault>()) {
    if (crash.lose_disk) all.lost_disks.push_back({crash.process, crash.at});
  }
}

void generate_crash(Config& config, const Targets& targets, Draws& draws) {
  CrashFault crash;
  crash.process = targets.process(draws);
  crash.at = targets.when(draws);
  crash.restart_after = draws.time(10ms, 20s);
  crash.whole_host = draws.chance(0.3);
  config.faults.of<CrashFault>().push_back(crash);
}

void generate_restart_loop(Config& config, const Targets& targets, Draws& draws) {
  CrashFault crash;
  crash.process = targets.process(draws);
  crash.at = targets.when(draws);
  crash.restart_after = draws.time(1ms, 2s);
  crash.times = draws.count(2, 8);
  crash.up_for = draws.time(1ms, 5s);
  config.faults.of<CrashFault>().push_back(crash);
}

void generate_stop(Config& config, const Targets& targets, Draws& draws) {
  CrashFault crash;
  // Joiners have work to finish at a graceful stop.
  crash.process =
      targets.has_logs() && draws.chance(0.5) ? targets.joiner(draws) : targets.process(draws);
  crash.at = targets.when(draws);
  crash.restart_after = draws.time(10ms, 5s);
  crash.gracefully = true;
  config.faults.of<CrashFault>().push_back(crash);
}

void generate_lost_disk(Config& config, const Targets& targets, Draws& draws) {
  if (!targets.has_fragile()) return;
  CrashFault crash;
  crash.process = targets.fragile_replica(draws);
  crash.at = targets.when(draws);
  crash.restart_after = draws.time(10ms, 10s);
  crash.lose_disk = true;
  config.faults.of<CrashFault>().push_back(crash);
}

// Crashes joiners between registration and output; many are there while their cell is slow. Often
// it is one of them each time, so that several of its lives leave clicks behind. Also crashes the
// processes that must detect the loss (SPEC F-04..F-12).
void generate_lost_output(Config& config, const Targets& targets, Draws& draws) {
  DiskFault slow;
  slow.where = targets.pipeline(draws);
  slow.kind = DiskFaultKind::kSlow;
  slow.factor = static_cast<double>(draws.size(20, 200));
  slow.at = targets.when(draws);
  slow.duration = draws.time(1s, 10s);
  config.faults.of<DiskFault>().push_back(slow);
  const auto die = [&](const std::string& process, Duration at, Duration lasting) {
    CrashFault crash;
    crash.process = process;
    crash.at = targets.within(at, lasting, draws);
    crash.restart_after = draws.time(10ms, 5s);
    config.faults.of<CrashFault>().push_back(crash);
  };
  const auto any = [&](const std::string& role) {
    return targets.process_at(slow.where, role, draws);
  };
  const std::string joiner = any("joiner");
  const bool same = draws.chance(0.5);
  for (std::uint64_t i = draws.count(1, 4); i > 0; --i) {
    die(same ? joiner : any("joiner"), slow.at, slow.duration);
  }
  for (std::uint64_t i = draws.count(0, 4); i > 0; --i) {
    die(any(draws.one_of<std::string>({"verifier", "verifier", "auditor"})), slow.at, 100s);
  }
}

void generate_pause(Config& config, const Targets& targets, Draws& draws) {
  config.faults.of<PauseFault>().push_back(
      {targets.process(draws), targets.when(draws), draws.time(50ms, 20s)});
}

void generate_cache_loss(Config& config, const Targets& targets, Draws& draws) {
  config.faults.of<CacheLossFault>().push_back({targets.cache(draws), targets.when(draws)});
}

constexpr std::array kCrashGenerators{
    FaultGenerator{0, generate_crash}, FaultGenerator{1, generate_restart_loop},
    FaultGenerator{2, generate_stop}, FaultGenerator{3, generate_lost_disk},
    FaultGenerator{17, generate_lost_output, Needs::verification}};
constexpr std::array kPauseGenerators{FaultGenerator{4, generate_pause}};
constexpr std::array kCacheLossGenerators{
    FaultGenerator{11, generate_cache_loss, Needs::pipelines}};

}  // namespace

constinit const FaultTable kCrashes{
    .schema = fault_rows<kCrashRows, CrashFault>(
        "The crash of one process. Counted as process_crash, with lose_disk as disk_loss, with "
        "gracefully as graceful_restart, with whole_host as host_crash, with times as "
        "restart_loop, "
        "from its second crash on."),
    .script = script_of<CrashFault>(),
    .kinds = kCrashKinds,
    .check = check_entry<CrashFault, check>,
    .turn = 2,
    .lower = lower_entry<CrashFault, lower>,
    .consequences = add_lost_disks,
    .generators = kCrashGenerators};

constinit const FaultTable kPauses{
    .schema = fault_rows<kPauseRows, PauseFault>(
        "One process does nothing for a while, and events for it wait. Counted as process_pause. "
        "One that is longer than the lease that such a process may hold (registry.lease, "
        "dispatcher.lease) is counted as long_pause."),
    .script = script_of<PauseFault>(),
    .kinds = kPauseKinds,
    .check = check_entry<PauseFault, check>,
    .turn = 3,
    .lower = lower_entry<PauseFault, lower>,
    .adjust = note_long_pause,
    .consequences = add_pauses,
    .generators = kPauseGenerators};

constinit const FaultTable kCacheLosses{
    .schema = fault_rows<kCacheLossRows, CacheLossFault>(
        "A cache loses its contents from one moment to the next."),
    .script = script_of<CacheLossFault>(),
    .kinds = kCacheLossKinds,
    .check = check_entry<CacheLossFault, check>,
    .turn = 4,
    .lower = lower_entry<CacheLossFault, lower>,
    .generators = kCacheLossGenerators};

}  // namespace process_faults

}  // namespace photonsim::scenarios
