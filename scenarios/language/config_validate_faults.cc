#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "scenarios/language/config_names.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/language/config_validate_names.h"
#include "scenarios/language/diagnostic_suggest.h"
#include "scenarios/language/units.h"

namespace photonsim::scenarios {
namespace {

// A fault that can have no effect would fail the run at its end (DESIGN 6): say so before it
// begins.

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
    const bool late = fault.kind == RandomFaultKind::kLateConfiguration;
    const bool lasts = late || fault.kind == RandomFaultKind::kProcessPause;
    const bool at_once = fault.kind == RandomFaultKind::kCacheLoss;
    const bool fixed = late || at_once || fault.kind == RandomFaultKind::kDiskLoss;
    if (fixed && fault.target != by_default.target) refuse("target", "process_crash");
    if (fault.direction != by_default.direction) refuse("direction", "partition");
    if ((lasts || at_once) && fault.restart_after != by_default.restart_after) {
      refuse("restart_after", "process_crash");
    }
    if (!lasts && fault.mean_duration != by_default.mean_duration) {
      refuse("mean_duration", "partition");
    }
  }
}

void check_random_place(Validation& v, const std::string& path, const RandomFault& fault) {
  if (fault.datacenter.empty() || !check_datacenter(v, path, fault.datacenter)) return;
  const bool any = fault.kind == RandomFaultKind::kPartition ||
                   fault.kind == RandomFaultKind::kLateConfiguration;
  if (any) return;
  const bool disk = fault.kind == RandomFaultKind::kDiskLoss;
  const bool pipeline =
      fault.kind == RandomFaultKind::kCacheLoss || is_pipeline_target(fault.target);
  check_inhabited(v, path, fault.datacenter, !disk && pipeline,
                  disk || fault.target == FaultTarget::kRegistry);
}

void check_has_caches(Validation& v, const std::string& path) {
  if (!v.config().registry_only()) return;
  v.refuse({path, "workload.kind"}, "this workload has no pipelines, so there are no caches",
           "workload.kind = \"synthetic\"");
}

void check_has_configuration(Validation& v, const std::string& path) {
  if (v.config().registry.sharding == Sharding::kDynamic) return;
  v.refuse({path, "registry.sharding"},
           "the number of shards is fixed, so there is no configuration to learn",
           "registry.sharding = \"dynamic\"");
}

void check_random(Validation& v) {
  const auto& faults = v.config().faults.random;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const RandomFault& fault = faults[i];
    const std::string path = fmt::format("faults.random.{}", i);
    check_random_window(v, path, fault);
    check_random_kind(v, path, fault);
    check_random_target(v, path, fault);
    check_random_place(v, path + ".datacenter", fault);
    if (fault.kind == RandomFaultKind::kCacheLoss) check_has_caches(v, path);
    if (fault.kind == RandomFaultKind::kLateConfiguration) check_has_configuration(v, path);
    if (fault.direction == PartitionDirection::kApart) {
      v.refuse({path + ".direction", path}, "random partitions cut off one datacenter",
               "symmetric or one_way");
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
    const std::vector<std::string> places =
        check_place(v, path + ".datacenter", outages[i].datacenter);
    if (places.size() != 1) continue;  // of a region, some may have nothing of the sort
    check_inhabited(v, path + ".datacenter", places.front(),
                    is_pipeline_component(outages[i].component),
                    outages[i].component == OutageComponent::kRegistry);
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
    const bool contract = v.config().scenario.tier == Tier::kContract;
    if (crashes[i].as_new && (!crashes[i].lose_disk || !contract)) {
      v.refuse({path + ".as_new", path + ".lose_disk", "scenario.tier"},
               "a disk is set up as new when one was lost, and nothing withstands that",
               "lose_disk = true and scenario.tier = \"contract\", or as_new = false");
    }
    const int ways =
        int{crashes[i].lose_disk} + int{crashes[i].gracefully} + int{crashes[i].whole_host};
    if (ways > 1) {
      v.refuse({path + ".gracefully", path + ".lose_disk", path + ".whole_host"},
               "a process ends in one way: in good order, with its host, or with its disk",
               "one of the three");
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

void check_cache_losses(Validation& v) {
  const auto& losses = v.config().faults.cache_losses;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const std::string path = fmt::format("faults.cache_loss.{}", i);
    check_start(v, path + ".at", losses[i].at);
    check_process(v, path + ".process", losses[i].process);
    const std::optional<ProcessName> process = parse_process(losses[i].process);
    if (!process || process->role == "cache") continue;
    v.refuse({path + ".process", path}, fmt::format("a {} is no cache", process->role),
             "as in \"us-east1/cache/0\"");
  }
}

void check_late_configurations(Validation& v) {
  const auto& faults = v.config().faults.late_configurations;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::string path = fmt::format("faults.late_configuration.{}", i);
    check_start(v, path + ".at", faults[i].at);
    check_has_configuration(v, path);
    if (faults[i].who.empty()) {
      v.refuse({path + ".who", path}, "this fault concerns nobody", "[\"any\"], or some names");
    }
    for (std::size_t n = 0; n < faults[i].who.size(); ++n) {
      check_party(v, fmt::format("{}.who.{}", path, n), faults[i].who[n]);
    }
  }
}

void check_two_sides(Validation& v, const std::string& path, const PartitionFault& partition) {
  const std::set<std::string> from = check_side(v, path + ".from", partition.from);
  for (const std::string& name : check_side(v, path + ".to", partition.to)) {
    if (from.count(name) == 0) continue;
    v.refuse({path + ".to", path, "topology.datacenter"},
             fmt::format("\"{}\" is on both sides of this partition", name),
             "a datacenter cannot be cut off from itself");
  }
}

// Each name of `from` is a side.
void check_apart(Validation& v, const std::string& path, const PartitionFault& partition) {
  if (!partition.to.empty()) {
    v.refuse({path + ".to", path + ".direction"}, "with direction = \"apart\" there is no `to`",
             "name all sides in `from`");
  }
  if (partition.from.size() < 2) {
    v.refuse({path + ".from", path + ".direction"}, "one side cannot be apart",
             "name at least two datacenters or regions");
  }
  std::set<std::string> seen;
  for (const std::string& side : partition.from) {
    for (const std::string& name : check_side(v, path + ".from", {side})) {
      if (seen.insert(name).second) continue;
      v.refuse({path + ".from", path}, fmt::format("\"{}\" is on two sides", name),
               "a datacenter cannot be cut off from itself");
    }
  }
}

void check_partitions(Validation& v) {
  const auto& partitions = v.config().faults.partitions;
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const std::string path = fmt::format("faults.partition.{}", i);
    check_start(v, path + ".at", partitions[i].at);
    const bool apart = partitions[i].direction == PartitionDirection::kApart;
    apart ? check_apart(v, path, partitions[i]) : check_two_sides(v, path, partitions[i]);
  }
}

bool has_delay(LinkFaultKind kind) {
  return kind == LinkFaultKind::kDelay || kind == LinkFaultKind::kReordering ||
         kind == LinkFaultKind::kLateDuplication;
}

void check_links(Validation& v) {
  const auto& links = v.config().faults.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string path = fmt::format("faults.link.{}", i);
    check_start(v, path + ".at", links[i].at);
    for (const auto& [key, names] : {std::pair{".from", &links[i].from}, {".to", &links[i].to}}) {
      if (names->empty()) {
        v.refuse({path + key, path}, "this fault concerns nobody", "[\"any\"], or some names");
      }
      for (std::size_t n = 0; n < names->size(); ++n) {
        check_party(v, fmt::format("{}{}.{}", path, key, n), (*names)[n]);
      }
    }
    if (links[i].share <= 0) {
      v.refuse({path + ".share", path}, "no message is concerned", "a share above 0");
    }
    if (!has_delay(links[i].kind) && links[i].delay != LinkFault{}.delay) {
      v.refuse({path + ".delay", path + ".kind"}, "this kind has no delay",
               "delay belongs to delay, reordering and late_duplication");
    }
  }
}

void check_slow(Validation& v) {
  const auto& slow = v.config().faults.slow;
  for (std::size_t i = 0; i < slow.size(); ++i) {
    const std::string path = fmt::format("faults.slow.{}", i);
    check_start(v, path + ".at", slow[i].at);
    check_datacenter(v, path + ".datacenter", slow[i].datacenter);
    if (slow[i].factor > 1) continue;
    v.refuse({path + ".factor", path}, "nothing is slower by this factor", "more than 1");
  }
}

// A datacenter means its cell, anything else a process whose host has a disk.
void check_disk_place(Validation& v, const std::string& path, const DiskFault& fault) {
  if (has_datacenter(v.config(), fault.where)) {
    check_inhabited(v, path, fault.where, true, false);
    if (fault.kind != DiskFaultKind::kLostSync) return;
    return v.refuse({path, "faults.disk"}, "a cell survives the crashes of its hosts",
                    "lost_sync is a fault of a replica's disk");
  }
  check_process(v, path, fault.where);
  const std::optional<ProcessName> process = parse_process(fault.where);
  if (!process || process->role == "registry" || process->role == "sharding") return;
  v.refuse({path}, fmt::format("a {} keeps nothing on a disk of its own", process->role),
           "a replica of the registry or of its configuration group, or a datacenter's cell");
}

// Keys of other kinds say nothing here (check_random_kind).
void check_disk_keys(Validation& v, const std::string& path, const DiskFault& fault) {
  const DiskFault by_default;
  const auto refuse = [&](std::string_view key, std::string_view kinds) {
    v.refuse({fmt::format("{}.{}", path, key), path + ".kind"},
             fmt::format("{} has no effect on this kind of fault", key),
             fmt::format("it belongs to {}", kinds));
  };
  const bool rots = fault.kind == DiskFaultKind::kBitRot;
  if (rots && fault.duration != by_default.duration) refuse("for", "every other kind");
  if (rots || fault.kind == DiskFaultKind::kTornWrite) {
    if (fault.share < 1) refuse("share", "kinds that strike single requests");
  }
  if (fault.kind != DiskFaultKind::kSlow) {
    if (std::abs(fault.factor - by_default.factor) > 0) refuse("factor", "kind = \"slow\"");
  }
}

void check_disks(Validation& v) {
  const auto& disks = v.config().faults.disks;
  for (std::size_t i = 0; i < disks.size(); ++i) {
    const std::string path = fmt::format("faults.disk.{}", i);
    check_start(v, path + ".at", disks[i].at);
    check_disk_place(v, path + ".where", disks[i]);
    check_disk_keys(v, path, disks[i]);
    if (disks[i].share <= 0) {
      v.refuse({path + ".share", path}, "no request is concerned", "a share above 0");
    }
    if (disks[i].kind == DiskFaultKind::kSlow && disks[i].factor <= 1) {
      v.refuse({path + ".factor", path}, "nothing is slower by this factor", "more than 1");
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
  for (std::size_t i = 0; i < faults.log_truncations.size(); ++i) {
    const LogTruncationFault& truncation = faults.log_truncations[i];
    const std::string path = fmt::format("faults.log_truncation.{}", i);
    check_start(v, path + ".at", truncation.at);
    check_log_place(v, path, truncation.datacenter);
    check_log_server(v, path, truncation.log, truncation.server);
  }
  for (std::size_t i = 0; i < faults.output_losses.size(); ++i) {
    const std::string path = fmt::format("faults.output_loss.{}", i);
    check_start(v, path + ".at", faults.output_losses[i].at);
    check_log_place(v, path, faults.output_losses[i].datacenter);
    if (const auto& after = faults.output_losses[i].returns_after) {
      check_start(v, path + ".returns_after", faults.output_losses[i].at + *after);
    }
  }
}

}  // namespace

void validate_faults(Validation& validation) {
  check_random(validation);
  check_outages(validation);
  check_crashes(validation);
  check_pauses(validation);
  check_cache_losses(validation);
  check_partitions(validation);
  check_links(validation);
  check_late_configurations(validation);
  check_slow(validation);
  check_disks(validation);
  check_log_faults(validation);
  check_truetime(validation);
  validate_clock_faults(validation);
}

}  // namespace photonsim::scenarios
