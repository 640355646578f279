#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "scenarios/language/config_names.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/language/diagnostic_suggest.h"
#include "scenarios/language/units.h"

namespace photonsim::scenarios {
namespace {

// A fault that can have no effect would fail the run at its end (DESIGN 6): say so before it
// begins.

// True if the datacenter exists; reports otherwise.
bool check_datacenter(Validation& v, const std::string& path, const std::string& name) {
  if (has_datacenter(v.config(), name)) {
    return true;
  }
  v.refuse({path, "topology.datacenter"}, fmt::format("there is no datacenter \"{}\"", name),
           suggest(name, datacenter_names(v.config())));
  return false;
}

void check_start(Validation& v, const std::string& path, Duration at) {
  const std::optional<Duration>& end = v.config().run.duration;
  if (end && at >= *end) {
    v.refuse({path, "run.duration"},
             fmt::format("this fault begins at {}, but the run generates until {} only",
                         format_duration(at), format_duration(*end)),
             "faults end when generation ends (SPEC J-P0)");
  }
}

bool is_pipeline_target(FaultTarget target) {
  switch (target) {
    case FaultTarget::kJoiner:
    case FaultTarget::kDispatcher:
    case FaultTarget::kEventStore:
    case FaultTarget::kCache:
    case FaultTarget::kReader:
    case FaultTarget::kIncarnations:
    case FaultTarget::kClient:
    case FaultTarget::kVerifier:
    case FaultTarget::kAuditor:
    case FaultTarget::kMirror:
      return true;
    case FaultTarget::kAny:
    case FaultTarget::kRegistry:
      return false;
  }
  return false;
}

// A process of that sort must exist in the datacenter.
void check_inhabited(Validation& v, const std::string& path, const std::string& datacenter,
                     bool needs_pipeline, bool needs_replica) {
  if (needs_pipeline && !has_pipeline(v.config(), datacenter)) {
    v.refuse({path, "topology"}, fmt::format("\"{}\" runs no pipeline", datacenter),
             suggest(datacenter, v.config().topology.pipelines));
  }
  if (needs_replica && !has_replica(v.config(), datacenter)) {
    v.refuse({path, "topology.datacenter", "registry.replicas"},
             fmt::format("\"{}\" has no registry replica", datacenter),
             suggest(datacenter, v.config().registry.replicas));
  }
}

void check_random_window(Validation& v, const std::string& path, const RandomFault& fault) {
  check_start(v, path + ".from", fault.from);
  const std::optional<Duration>& end = v.config().run.duration;
  if (fault.until && *fault.until <= fault.from) {
    v.refuse({path + ".until", path + ".from"}, "this fault ends before it begins",
             "until must be later than from");
    return;
  }
  if (fault.until && end && *fault.until > *end) {
    v.refuse({path + ".until", "run.duration"},
             fmt::format("until = {} is after the end of generation at {}",
                         format_duration(*fault.until), format_duration(*end)),
             "\"end\" means the end of generation");
  }
  const std::optional<Duration> last = fault.until ? fault.until : end;
  const bool stated = fault.mean_interval > Duration{0};  // it is 0 where it could not be read
  if (last && stated && (*last - fault.from) / fault.mean_interval > kMostRandomFaults) {
    v.refuse({path + ".mean_interval", path, "run.duration"},
             fmt::format("this means more than {} faults", kMostRandomFaults),
             "a larger mean_interval, or a shorter time");
  }
}

// Who is crashed must exist in this sort of world.
void check_random_target(Validation& v, const std::string& path, const RandomFault& fault) {
  const bool verifies =
      fault.target == FaultTarget::kVerifier || fault.target == FaultTarget::kAuditor;
  if (verifies && !v.config().verification.enabled) {
    return v.refuse({path + ".target", "verification.enabled"},
                    "without verification there is nobody of that sort",
                    "verification.enabled = true, or another target");
  }
  if (fault.target == FaultTarget::kMirror && !v.config().joiner.output_copies) {
    return v.refuse({path + ".target", "joiner.output_copies"},
                    "without copies of the output there is nobody of that sort",
                    "joiner.output_copies = true, or another target");
  }
  const bool alone = v.config().registry_only();
  const bool is_client = fault.target == FaultTarget::kClient;
  const bool everywhere = fault.target == FaultTarget::kAny ||
                          fault.target == FaultTarget::kRegistry ||
                          fault.target == FaultTarget::kIncarnations;
  if (everywhere || is_client == alone) return;
  v.refuse({path + ".target", "workload.kind"},
           alone ? "this workload has no pipelines, so there is nobody to crash"
                 : "only a registry workload has clients of its own",
           alone ? "it has \"registry\", \"client\" and \"incarnations\""
                 : "workload.kind = \"registry\"");
}

// Keys of the other kind say nothing here, so whoever sets one has something else in mind. (Stated
// as they are by default they do no harm: the resolved text states every key.)
void check_random_kind(Validation& v, const std::string& path, const RandomFault& fault) {
  const RandomFault by_default;
  const auto refuse = [&](std::string_view key, std::string_view kind) {
    v.refuse({fmt::format("{}.{}", path, key), path + ".kind"},
             fmt::format("{} has no effect on this kind of fault", key),
             fmt::format("it belongs to kind = \"{}\"", kind));
  };
  if (fault.kind == RandomFaultKind::kPartition) {
    if (fault.target != by_default.target) refuse("target", "process_crash");
    if (fault.restart_after != by_default.restart_after) refuse("restart_after", "process_crash");
  } else {
    const bool disk = fault.kind == RandomFaultKind::kDiskLoss;
    const bool pause = fault.kind == RandomFaultKind::kProcessPause;
    if (disk && fault.target != by_default.target) refuse("target", "process_crash");
    if (fault.direction != by_default.direction) refuse("direction", "partition");
    if (pause && fault.restart_after != by_default.restart_after) {
      refuse("restart_after", "process_crash");
    }
    if (!pause && fault.mean_duration != by_default.mean_duration) {
      refuse("mean_duration", "partition");
    }
  }
}

void check_random(Validation& v) {
  const auto& faults = v.config().faults.random;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const RandomFault& fault = faults[i];
    const std::string path = fmt::format("faults.random.{}", i);
    check_random_window(v, path, fault);
    check_random_kind(v, path, fault);
    check_random_target(v, path, fault);
    const std::string where = path + ".datacenter";
    if (!fault.datacenter.empty() && check_datacenter(v, where, fault.datacenter) &&
        fault.kind != RandomFaultKind::kPartition) {
      const bool disk = fault.kind == RandomFaultKind::kDiskLoss;
      check_inhabited(v, where, fault.datacenter, !disk && is_pipeline_target(fault.target),
                      disk || fault.target == FaultTarget::kRegistry);
    }
    if (fault.kind == RandomFaultKind::kPartition && v.config().topology.datacenters.size() < 2) {
      v.refuse({path, "topology.datacenter"}, "a partition needs two datacenters");
    }
  }
}

// The cell and the copies of the logs belong to a pipeline.
bool is_pipeline_component(OutageComponent component) {
  return component == OutageComponent::kPipeline || component == OutageComponent::kCell ||
         component == OutageComponent::kLogs;
}

void check_outages(Validation& v) {
  const auto& outages = v.config().faults.outages;
  for (std::size_t i = 0; i < outages.size(); ++i) {
    const std::string path = fmt::format("faults.outage.{}", i);
    check_start(v, path + ".at", outages[i].at);
    if (check_datacenter(v, path + ".datacenter", outages[i].datacenter)) {
      check_inhabited(v, path + ".datacenter", outages[i].datacenter,
                      is_pipeline_component(outages[i].component),
                      outages[i].component == OutageComponent::kRegistry);
    }
  }
}

// A role of processes: how many of them a pipeline or a replica's datacenter has, and what gives a
// run some if it has none.
struct Role {
  std::string name;
  std::uint64_t count = 0;
  std::string_view remedy{};
};

std::vector<Role> roles_of(const Config& config) {
  constexpr std::string_view kPipelines =
      "a registry workload runs no pipelines; workload.kind = \"synthetic\" does";
  const bool joins = !config.registry_only();
  const auto pipeline = [&](const char* name, std::uint64_t count) {
    return Role{name, joins ? count : 0, kPipelines};
  };
  const auto audits = [&](const char* name, std::uint64_t count) {
    return Role{name, joins && config.verification.enabled ? count : 0,
                "verification.enabled = true gives each pipeline some"};
  };
  const bool resharded = config.registry.sharding == Sharding::kDynamic;
  return {pipeline("joiner", config.joiner.count),
          pipeline("dispatcher", config.dispatcher.workers),
          pipeline("cache", config.event_store.cache_nodes),
          pipeline("reader", 1),
          pipeline("event_store", 1),
          {"incarnations", 1},
          audits("verifier", config.verification.verifiers),
          audits("auditor", 1),
          {"mirror", joins && config.joiner.output_copies ? 1U : 0U,
           "joiner.output_copies = true gives each pipeline one"},
          {"registry", most_shards(config)},
          {"sharding", resharded ? 1U : 0U, "registry.sharding = \"dynamic\" makes one"},
          {"client", joins ? 0 : config.workload.registry.clients,
           "only workload.kind = \"registry\" has clients"}};
}

void refuse_role(Validation& v, const std::string& path, const std::string& role,
                 const std::vector<Role>& roles) {
  std::vector<std::string> present;
  for (const Role& each : roles) {
    if (each.count > 0) present.push_back(each.name);
    if (each.name != role) continue;
    v.refuse({path, "registry.sharding", "workload.kind"},
             fmt::format("this run has no process called \"{}\"", role), each.remedy);
    return;
  }
  v.refuse({path}, fmt::format("no process is called \"{}\"", role), suggest(role, present));
}

void check_process(Validation& v, const std::string& path, const std::string& text) {
  const std::optional<ProcessName> process = parse_process(text);
  if (!process) {
    v.refuse({path}, fmt::format("\"{}\" is not the name of a process", text),
             "as in \"us-east1/joiner/3\" or \"registry/2@us-east4\"");
    return;
  }
  const std::vector<Role> roles = roles_of(v.config());
  const auto role = std::ranges::find(roles, process->role, &Role::name);
  const std::uint64_t count = role == roles.end() ? 0 : role->count;
  if (count == 0) {
    refuse_role(v, path, process->role, roles);
  } else if (process->number >= count) {
    v.refuse({path, "joiner.count", "dispatcher.workers", "event_store.cache_nodes",
              "registry.shards", "workload.registry.clients"},
             fmt::format("there is no {} {}", process->role, process->number),
             fmt::format("they are numbered from 0 to {}", count - 1));
  }
  if (check_datacenter(v, path, process->datacenter)) {
    const bool replica = process->role == "registry" || process->role == "sharding";
    check_inhabited(v, path, process->datacenter, !replica, replica);
  }
}

void check_crashes(Validation& v) {
  const auto& crashes = v.config().faults.crashes;
  for (std::size_t i = 0; i < crashes.size(); ++i) {
    const std::string path = fmt::format("faults.crash.{}", i);
    check_start(v, path + ".at", crashes[i].at);
    check_process(v, path + ".process", crashes[i].process);
    const std::optional<ProcessName> process = parse_process(crashes[i].process);
    const bool has_disk = process && (process->role == "registry" || process->role == "sharding");
    if (crashes[i].lose_disk && process && !has_disk) {
      v.refuse({path + ".lose_disk", path + ".process"},
               fmt::format("a {} keeps nothing on a disk of its own", process->role),
               "a replica of the registry or of its configuration group does");
    }
    if (crashes[i].lose_disk && crashes[i].gracefully) {
      v.refuse({path + ".gracefully", path + ".lose_disk"}, "a disk is not lost in good order",
               "one of the two");
    }
  }
}

void check_pauses(Validation& v) {
  const auto& pauses = v.config().faults.pauses;
  for (std::size_t i = 0; i < pauses.size(); ++i) {
    const std::string path = fmt::format("faults.pause.{}", i);
    check_start(v, path + ".at", pauses[i].at);
    check_process(v, path + ".process", pauses[i].process);
  }
}

// The datacenters on one side of a partition.
std::set<std::string> side(Validation& v, const std::string& path,
                           const std::vector<std::string>& names) {
  std::set<std::string> result;
  if (names.empty()) {
    v.refuse({path}, "one side of this partition is empty", "name datacenters or regions");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string> expanded = expand_name(v.config(), names[i]);
    if (expanded.empty()) {
      std::vector<std::string> known = datacenter_names(v.config());
      for (const Datacenter& datacenter : v.config().topology.datacenters) {
        known.push_back(datacenter.region);
      }
      v.refuse({fmt::format("{}.{}", path, i), "topology.datacenter"},
               fmt::format("there is no datacenter or region \"{}\"", names[i]),
               suggest(names[i], known));
    }
    result.insert(expanded.begin(), expanded.end());
  }
  return result;
}

void check_partitions(Validation& v) {
  const auto& partitions = v.config().faults.partitions;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const std::string path = fmt::format("faults.partition.{}", i);
    check_start(v, path + ".at", partitions[i].at);
    const std::set<std::string> from = side(v, path + ".from", partitions[i].from);
    for (const std::string& name : side(v, path + ".to", partitions[i].to)) {
      if (from.count(name) != 0) {
        v.refuse({path + ".to", path, "topology.datacenter"},
                 fmt::format("\"{}\" is on both sides of this partition", name),
                 "a datacenter cannot be cut off from itself");
      }
    }
  }
}

void check_log_place(Validation& v, const std::string& path, const std::string& datacenter) {
  if (v.config().registry_only()) {
    v.refuse({path, "workload.kind"}, "a registry workload has no logs and no output",
             "workload.kind = \"synthetic\" or \"trace\"");
  } else if (!datacenter.empty() && check_datacenter(v, path + ".datacenter", datacenter)) {
    check_inhabited(v, path + ".datacenter", datacenter, true, false);
  }
}

void check_log_server(Validation& v, const std::string& path, LogKind log,
                      const std::string& name) {
  const std::optional<std::uint64_t> server = server_number(name);
  const std::uint64_t servers = servers_of(v.config(), log);
  if (name == "any" || (server && *server < servers)) return;
  v.refuse({path + ".server", "workload"}, fmt::format("there is no server \"{}\"", name),
           fmt::format("\"any\", or a number from 0 to {}", servers - 1));
}

// An event without a name does not happen; those of a trace, or of an explicit list, have happened.
void check_truetime(Validation& v) {
  const auto& outages = v.config().faults.truetime_outages;
  for (std::size_t i = 0; i < outages.size(); ++i) {
    const std::string path = fmt::format("faults.truetime_outage.{}", i);
    check_start(v, path + ".at", outages[i].at);
    if (v.config().workload.kind != WorkloadKind::kSynthetic) {
      v.refuse({path, "workload.kind"},
               "servers that issue no ids would leave out events that this workload says happened",
               "workload.kind = \"synthetic\" has servers that can stop (SPEC A-33)");
      continue;
    }
    check_log_server(v, path, outages[i].log, outages[i].server);
  }
}

void check_log_faults(Validation& v) {
  const Faults& faults = v.config().faults;
  for (std::size_t i = 0; i < faults.log_damages.size(); ++i) {
    const std::string path = fmt::format("faults.log_damage.{}", i);
    check_start(v, path + ".at", faults.log_damages[i].at);
    check_log_place(v, path, faults.log_damages[i].datacenter);
    if (faults.log_damages[i].share > 0) continue;
    v.refuse({path + ".share", path}, "no record is damaged", "a share above 0");
  }
  for (std::size_t i = 0; i < faults.log_stalls.size(); ++i) {
    const LogStallFault& stall = faults.log_stalls[i];
    const std::string path = fmt::format("faults.log_stall.{}", i);
    check_start(v, path + ".at", stall.at);
    check_log_place(v, path, stall.datacenter);
    check_log_server(v, path, stall.log, stall.server);
  }
  for (std::size_t i = 0; i < faults.output_losses.size(); ++i) {
    const std::string path = fmt::format("faults.output_loss.{}", i);
    check_start(v, path + ".at", faults.output_losses[i].at);
    check_log_place(v, path, faults.output_losses[i].datacenter);
  }
}

// What operators do, they do while clicks are generated.
void check_time(Validation& v, const std::string& path, Duration at) {
  const std::optional<Duration>& end = v.config().run.duration;
  if (!end || at < *end) return;
  v.refuse({path + ".at", "run.duration"},
           fmt::format("this operation begins at {}, but the run generates until {} only",
                       format_duration(at), format_duration(*end)),
           "an earlier time, or a longer run");
}

void check_group(Validation& v, const std::string& path, const std::string& group) {
  if (group_number(v.config(), group)) return;
  v.refuse({path + ".group", "registry.shards", "registry.sharding", "operations.reshard"},
           fmt::format("there is no group \"{}\"", group),
           fmt::format("shards are \"registry/0\" to \"registry/{}\"; \"sharding/0\" needs "
                       "registry.sharding = \"dynamic\"",
                       most_shards(v.config()) - 1));
}

void check_masters(Validation& v) {
  const Operations& operations = v.config().operations;
  for (std::size_t i = 0; i < operations.kills.size(); ++i) {
    const std::string path = fmt::format("operations.kill_master.{}", i);
    check_group(v, path, operations.kills[i].group);
    check_time(v, path, operations.kills[i].at);
  }
  for (std::size_t i = 0; i < operations.moves.size(); ++i) {
    const std::string path = fmt::format("operations.move_master.{}", i);
    check_group(v, path, operations.moves[i].group);
    check_time(v, path, operations.moves[i].at);
    const std::string& to = operations.moves[i].to;
    if (has_replica(v.config(), to)) continue;
    v.refuse({path + ".to", "registry.replicas"}, fmt::format("\"{}\" has no replica", to),
             suggest(to, v.config().registry.replicas));
  }
}

void check_forgets(Validation& v) {
  const auto& forgets = v.config().operations.forgets;
  for (std::size_t i = 0; i < forgets.size(); ++i) {
    const std::string path = fmt::format("operations.forget_state.{}", i);
    check_time(v, path, forgets[i].at);
    if (v.config().registry_only()) {
      v.refuse({path, "workload.kind"}, "a registry workload has no dispatchers",
               "workload.kind = \"synthetic\" has");
    } else if (check_datacenter(v, path + ".datacenter", forgets[i].datacenter)) {
      check_inhabited(v, path + ".datacenter", forgets[i].datacenter, true, false);
    }
  }
}

}  // namespace

void validate_operations(Validation& v) {
  check_masters(v);
  check_forgets(v);
  const auto& reshards = v.config().operations.reshards;
  for (std::size_t i = 0; i < reshards.size(); ++i) {
    const std::string path = fmt::format("operations.reshard.{}", i);
    if (v.config().registry.sharding == Sharding::kFixed) {
      v.refuse({path, "registry.sharding"}, "this registry cannot be resharded",
               "registry.sharding = \"dynamic\" gives it a configuration group");
    }
    check_time(v, path, reshards[i].at);
  }
}

void validate_faults(Validation& validation) {
  check_random(validation);
  check_outages(validation);
  check_crashes(validation);
  check_pauses(validation);
  check_partitions(validation);
  check_log_faults(validation);
  check_truetime(validation);
}

}  // namespace photonsim::scenarios
