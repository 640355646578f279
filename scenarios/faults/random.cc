// What [[faults.random]] means: faults of other tables at random times.

#include "scenarios/faults/random.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/link.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/random_plan.h"
#include "scenarios/language/config_names.h"
#include "scenarios/language/config_validate_names.h"
#include "scenarios/language/units.h"
#include "sim/random_faults.h"

namespace photonsim::scenarios {
namespace random_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the vocabulary in which rows are written
using swarm::Draws;
using swarm::Targets;

constexpr std::array<std::string_view, 7> kRandomKinds{
    "process_crash",    "partition",  "disk_loss",         "process_pause",
    "graceful_restart", "cache_loss", "late_configuration"};
constexpr std::array<std::string_view, 12> kTargets{
    "any",    "joiner",       "dispatcher", "registry", "event_store", "cache",
    "reader", "incarnations", "client",     "verifier", "auditor",     "mirror"};
constexpr std::array kRandomRows{
    row<&RandomFault::kind>({"kind",
                             Kind::kChoice,
                             {},
                             "Crashes of processes, pauses of them, losses of a registry "
                             "replica's disk, partitions: each cuts one datacenter off from "
                             "all others (one_way: from one other); processes that are asked "
                             "to stop and finish what they would lose (graceful_restart); caches "
                             "that lose their contents; datacenters that learn a new number of "
                             "shards late.",
                             "SPEC A-25",
                             kRandomKinds,
                             {},
                             true}),
    row<&RandomFault::target>({"target",
                               Kind::kChoice,
                               {},
                               "Of process_crash, process_pause and graceful_restart: which "
                               "processes.",
                               "M",
                               kTargets}),
    row<&RandomFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Only there, or only it is cut off; \"\" = any.", "M"}),
    row<&RandomFault::mean_interval>({"mean_interval",
                                      Kind::kDuration,
                                      between(1e6, 1'000 * kDay),
                                      "Mean time between two of these faults.",
                                      "M",
                                      {},
                                      {},
                                      true}),
    row<&RandomFault::restart_after>(
        {"restart_after", Kind::kDuration, kTime,
         "Of process_crash, graceful_restart and disk_loss: mean time until the restart, uniform "
         "between a half and one and a half of "
         "it.",
         "M"}),
    row<&RandomFault::direction>({"direction",
                                  Kind::kChoice,
                                  {},
                                  "Of partition: symmetric = nothing passes between the one and "
                                  "all others; one_way = nothing passes from it to one other.",
                                  "SPEC A-25",
                                  kDirections}),
    row<&RandomFault::mean_duration>(
        {"mean_duration", Kind::kDuration, kSpan,
         "Of partition, process_pause and late_configuration: mean length, uniform between a half "
         "and one and a half of it.",
         "M"}),
    row<&RandomFault::from>({"from", Kind::kDuration, kTime, "Not before this time.", "M"}),
    row<&RandomFault::until>({"until",
                              Kind::kDuration,
                              kSpan,
                              "Not after this time; \"end\" = the end of generation.",
                              "M",
                              {},
                              "end"}),
};

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

void check(Validation& v, const std::string& path, const RandomFault& fault) {
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

// The path pattern of a crash target; "*" in place of the datacenter means everywhere.
std::string pattern_of(const RandomFault& fault) {
  const std::string where = fault.datacenter.empty() ? "*" : fault.datacenter;
  switch (fault.target) {
    case FaultTarget::kAny:
      return where;
    case FaultTarget::kJoiner:
      return where + "/joiner";
    case FaultTarget::kDispatcher:
      return where + "/dispatcher";
    case FaultTarget::kRegistry:
      return where + "/registry";
    case FaultTarget::kEventStore:
      return where + "/event_store";
    case FaultTarget::kCache:
      return where + "/cache";
    case FaultTarget::kReader:
      return where + "/reader";
    case FaultTarget::kIncarnations:
      return where + "/incarnations";
    case FaultTarget::kClient:
      return where + "/client";
    case FaultTarget::kVerifier:
      return where + "/verifier";
    case FaultTarget::kAuditor:
      return where + "/auditor";
    case FaultTarget::kMirror:
      return where + "/mirror";
  }
  return where;
}

// One group for each: a single draw decides.
template <class Kind, class Id>
std::vector<std::vector<sim::Action>> each_of(const std::vector<Id>& victims) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const Id victim : victims) candidates.push_back({Kind{victim}});
  return candidates;
}

std::vector<std::vector<sim::Action>> crashes_of(const std::vector<photon::NodeId>& processes) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const photon::NodeId node : processes) {
    candidates.push_back({sim::CrashProcess{{node}, std::nullopt}});
  }
  return candidates;
}

std::vector<sim::HostId> hosts_with_disks(const sim::Topology& topology, std::string_view pattern) {
  std::vector<sim::HostId> hosts;
  for (const photon::NodeId node : topology.processes_matching(pattern)) {
    const sim::HostId host = topology.process(node).host;
    const auto is_its_disk = [&](const sim::VolumeInfo& volume) {
      return volume.kind == sim::VolumeClass::host_disk && volume.host == host;
    };
    const bool known = std::ranges::find(hosts, host) != hosts.end();
    if (!known && std::ranges::any_of(topology.volumes(), is_its_disk)) hosts.push_back(host);
  }
  return hosts;
}

// It is cut off from all others; one way, from one of them.
std::vector<std::vector<sim::Action>> partitions_of(const RandomFault& fault,
                                                    const sim::Topology& topology) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const sim::DatacenterInfo& place : topology.datacenters()) {
    if (!fault.datacenter.empty() && place.name != fault.datacenter) continue;
    std::vector<sim::Action>& group = candidates.emplace_back();
    if (fault.direction == PartitionDirection::kSymmetric) {
      group.emplace_back(sim::Partition{sim::against_all_others({place.id}, topology)});
      continue;
    }
    for (const sim::DatacenterInfo& other : topology.datacenters()) {
      if (other.id == place.id) continue;
      group.emplace_back(sim::Partition{{{place.id}, {other.id}}, sim::Direction::one_way});
    }
  }
  return candidates;
}

std::vector<std::vector<sim::Action>> late_configurations_of(const RandomFault& fault,
                                                             const sim::Topology& topology) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const sim::DatacenterInfo& place : topology.datacenters()) {
    if (!fault.datacenter.empty() && place.name != fault.datacenter) continue;
    candidates.push_back(
        {late_configuration_for(topology.processes_matching(place.name), place.name, topology)});
  }
  return candidates;
}

// Uniform between a half and one and a half of the mean.
void set_mean_duration(sim::RandomFaults& spec, Duration mean) {
  spec.shortest = mean / 2;
  spec.longest = mean + mean / 2;
}

// It holds up answers for a few times its mean length in a row.
Duration longest_random_hold(const Faults& faults) {
  Duration longest{0};
  for (const RandomFault& fault : faults.of<RandomFault>()) {
    const bool holds = fault.kind == RandomFaultKind::kProcessPause ||
                       fault.kind == RandomFaultKind::kLateConfiguration;
    if (holds) longest += 3 * fault.mean_duration;
  }
  return longest;
}

}  // namespace

constinit const FaultTable kRandomFaults{
    .schema = fault_rows<kRandomRows, RandomFault>(
        "Faults at random times; the list is drawn before the run."),
    .script = script_of<RandomFault>(),
    .kinds = {},
    .check = check_entry<RandomFault, check>,
    .longest_hold = longest_random_hold};

sim::RandomFaults random_of(const RandomFault& fault, const sim::Topology& topology,
                            Duration generation) {
  sim::RandomFaults spec;
  spec.from = photon::SimTime(fault.from);
  spec.until = photon::SimTime(end_of(fault, generation));
  spec.mean_between = fault.mean_interval;
  set_mean_duration(spec, fault.restart_after);
  const auto victims = topology.processes_matching(pattern_of(fault));
  switch (fault.kind) {
    case RandomFaultKind::kProcessCrash:
      spec.candidates = crashes_of(victims);
      break;
    case RandomFaultKind::kGracefulRestart:
      spec.candidates = each_of<sim::StopProcess>(victims);
      break;
    case RandomFaultKind::kDiskLoss: {
      const std::string where = fault.datacenter.empty() ? "*" : fault.datacenter;
      spec.candidates = each_of<sim::LoseDisk>(hosts_with_disks(topology, where + "/registry"));
      break;
    }
    case RandomFaultKind::kProcessPause:
      spec.candidates = each_of<sim::PauseProcess>(victims);
      set_mean_duration(spec, fault.mean_duration);
      break;
    case RandomFaultKind::kCacheLoss: {
      const std::string where = fault.datacenter.empty() ? "*" : fault.datacenter;
      spec.candidates = each_of<sim::LoseMemory>(topology.processes_matching(where + "/cache"));
      spec.kind = kCacheLossName;
      spec.shortest = spec.longest = Duration::zero();
      break;
    }
    case RandomFaultKind::kLateConfiguration:
      spec.candidates = late_configurations_of(fault, topology);
      spec.kind = kLateConfigurationName;
      set_mean_duration(spec, fault.mean_duration);
      break;
    case RandomFaultKind::kPartition:
      spec.candidates = partitions_of(fault, topology);
      set_mean_duration(spec, fault.mean_duration);
      break;
  }
  return spec;
}

}  // namespace random_faults

Duration end_of(const RandomFault& fault, Duration generation) {
  return std::min(fault.until.value_or(generation), generation);
}

}  // namespace photonsim::scenarios
