// [[faults.random]]: faults of other tables at random times.

#include "scenarios/faults/random.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/config/units.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/link.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/partition.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/random_plan.h"
#include "scenarios/schema/config_validate_names.h"
#include "sim/random_faults.h"

namespace photonsim::scenarios {
namespace random_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

// More than this are refused, for they are expanded into a list: by the loader, or where the length
// of the run is known.
constexpr std::int64_t kMostRandomFaults = 1'000'000;

// Groups of actions: one group is drawn, then one of its actions.
using Candidates = std::vector<std::vector<sim::Action>>;

// Where the processes of a kind must run, if it names a datacenter.
enum class Place : std::uint8_t { anywhere, with_registry, with_pipeline, of_target };

Candidates crashes(const RandomFault& fault, const sim::Topology& topology);
Candidates partitions(const RandomFault& fault, const sim::Topology& topology);
Candidates disk_losses(const RandomFault& fault, const sim::Topology& topology);
Candidates pauses(const RandomFault& fault, const sim::Topology& topology);
Candidates graceful_restarts(const RandomFault& fault, const sim::Topology& topology);
Candidates cache_losses(const RandomFault& fault, const sim::Topology& topology);
Candidates late_configurations(const RandomFault& fault, const sim::Topology& topology);
void check_has_caches(Validation& v, const std::string& path);
void check_two_datacenters(Validation& v, const std::string& path);

// What a kind is, and which keys have an effect on it.
struct RandomKind {
  RandomFaultKind kind;
  std::string_view word;
  Candidates (*candidates)(const RandomFault& fault, const sim::Topology& topology);
  Place place = Place::anywhere;
  bool target = false;
  bool restart_after = false;
  bool direction = false;
  bool mean_duration = false;
  bool holds_answers = false;        // of processes that do not crash
  std::string_view counted_as = {};  // empty: by its actions
  void (*check)(Validation& v, const std::string& path) = nullptr;
};
// By enumerator.
constexpr std::array kKinds{RandomKind{.kind = RandomFaultKind::kProcessCrash,
                                       .word = "process_crash",
                                       .candidates = crashes,
                                       .place = Place::of_target,
                                       .target = true,
                                       .restart_after = true},
                            RandomKind{.kind = RandomFaultKind::kPartition,
                                       .word = "partition",
                                       .candidates = partitions,
                                       .direction = true,
                                       .mean_duration = true,
                                       .check = check_two_datacenters},
                            RandomKind{.kind = RandomFaultKind::kDiskLoss,
                                       .word = "disk_loss",
                                       .candidates = disk_losses,
                                       .place = Place::with_registry,
                                       .restart_after = true},
                            RandomKind{.kind = RandomFaultKind::kProcessPause,
                                       .word = "process_pause",
                                       .candidates = pauses,
                                       .place = Place::of_target,
                                       .target = true,
                                       .mean_duration = true,
                                       .holds_answers = true},
                            RandomKind{.kind = RandomFaultKind::kGracefulRestart,
                                       .word = "graceful_restart",
                                       .candidates = graceful_restarts,
                                       .place = Place::of_target,
                                       .target = true,
                                       .restart_after = true},
                            RandomKind{.kind = RandomFaultKind::kCacheLoss,
                                       .word = "cache_loss",
                                       .candidates = cache_losses,
                                       .place = Place::with_pipeline,
                                       .counted_as = kCacheLossName,
                                       .check = check_has_caches},
                            RandomKind{.kind = RandomFaultKind::kLateConfiguration,
                                       .word = "late_configuration",
                                       .candidates = late_configurations,
                                       .mean_duration = true,
                                       .holds_answers = true,
                                       .counted_as = kLateConfigurationName,
                                       .check = check_has_configuration}};
static_assert(in_order(kKinds, &RandomKind::kind));
constexpr auto kWords = words_of(kKinds);

const RandomKind& kind_of(const RandomFault& fault) {
  return kKinds[static_cast<std::size_t>(fault.kind)];
}

// By enumerator: the roles as they are in the paths of processes.
constexpr std::array<std::string_view, 12> kTargets{
    "any",    "joiner",       "dispatcher", "registry", "event_store", "cache",
    "reader", "incarnations", "client",     "verifier", "auditor",     "mirror"};
constexpr std::array kRandomRows{
    row<&RandomFault::kind>({"kind",
                             Kind::kChoice,
                             {},
                             "Crashes of processes; pauses of them; losses of a registry "
                             "replica's disk; partitions, each of which cuts one datacenter off "
                             "from all others (one_way: from one other); graceful restarts, which "
                             "finish work that would be lost; caches that lose their contents; "
                             "datacenters that learn a new number of shards late.",
                             "SPEC A-25",
                             kWords,
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
        {"datacenter", Kind::kName, {}, "Only there; partition: only it; \"\" = any.", "M"}),
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
  return target != FaultTarget::kAny && target != FaultTarget::kRegistry;
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

// The processes to crash must exist in this kind of configuration.
void check_random_target(Validation& v, const std::string& path, const RandomFault& fault) {
  const bool verifies =
      fault.target == FaultTarget::kVerifier || fault.target == FaultTarget::kAuditor;
  if (verifies && !v.config().verification.enabled) {
    return v.refuse({path + ".target", "verification.enabled"},
                    "without verification there is no such process",
                    "verification.enabled = true, or another target");
  }
  if (fault.target == FaultTarget::kMirror && !v.config().joiner.output_copies) {
    return v.refuse({path + ".target", "joiner.output_copies"},
                    "without copies of the output there is no such process",
                    "joiner.output_copies = true, or another target");
  }
  const bool alone = v.config().registry_only();
  const bool is_client = fault.target == FaultTarget::kClient;
  const bool everywhere = fault.target == FaultTarget::kAny ||
                          fault.target == FaultTarget::kRegistry ||
                          fault.target == FaultTarget::kIncarnations;
  if (everywhere || is_client == alone) return;
  v.refuse({path + ".target", "workload.kind"},
           alone ? "this workload has no pipelines, so there is no such process"
                 : "only a registry workload has clients of its own",
           alone ? "it has \"registry\", \"client\" and \"incarnations\""
                 : "workload.kind = \"registry\"");
}

// Keys of the other kinds have no effect, so a key that is set by mistake is refused. One with its
// default value is accepted, since the resolved text states every key.
void check_random_keys(Validation& v, const std::string& path, const RandomFault& fault) {
  const RandomFault by_default;
  const RandomKind& kind = kind_of(fault);
  const auto check = [&](std::string_view key, bool has_effect, bool is_default,
                         std::string_view other_kind) {
    if (has_effect || is_default) return;
    v.refuse({fmt::format("{}.{}", path, key), path + ".kind"},
             fmt::format("{} has no effect on this kind of fault", key),
             fmt::format("it belongs to kind = \"{}\"", other_kind));
  };
  check("target", kind.target, fault.target == by_default.target, "process_crash");
  check("direction", kind.direction, fault.direction == by_default.direction, "partition");
  check("restart_after", kind.restart_after, fault.restart_after == by_default.restart_after,
        "process_crash");
  check("mean_duration", kind.mean_duration, fault.mean_duration == by_default.mean_duration,
        "partition");
}

void check_random_place(Validation& v, const std::string& path, const RandomFault& fault) {
  if (fault.datacenter.empty() || !check_datacenter(v, path, fault.datacenter)) return;
  switch (kind_of(fault).place) {
    case Place::anywhere:
      return;
    case Place::with_registry:
      return check_inhabited(v, path, fault.datacenter, false, true);
    case Place::with_pipeline:
      return check_inhabited(v, path, fault.datacenter, true, false);
    case Place::of_target:
      return check_inhabited(v, path, fault.datacenter, is_pipeline_target(fault.target),
                             fault.target == FaultTarget::kRegistry);
  }
}

void check_has_caches(Validation& v, const std::string& path) {
  if (!v.config().registry_only()) return;
  v.refuse({path, "workload.kind"}, "this workload has no pipelines, so there are no caches",
           "workload.kind = \"synthetic\"");
}

void check_two_datacenters(Validation& v, const std::string& path) {
  if (v.config().topology.datacenters.size() >= 2) return;
  v.refuse({path, "topology.datacenter"}, "a partition needs two datacenters");
}

void check(Validation& v, const std::string& path, const RandomFault& fault) {
  check_random_window(v, path, fault);
  check_random_keys(v, path, fault);
  check_random_target(v, path, fault);
  check_random_place(v, path + ".datacenter", fault);
  if (fault.direction == PartitionDirection::kApart) {
    v.refuse({path + ".direction", path}, "random partitions cut off one datacenter",
             "symmetric or one_way");
  }
  if (kind_of(fault).check != nullptr) kind_of(fault).check(v, path);
}

// "*": everywhere.
std::string datacenter_pattern(const RandomFault& fault) {
  return fault.datacenter.empty() ? "*" : fault.datacenter;
}

std::vector<photon::NodeId> targets_of(const RandomFault& fault, const sim::Topology& topology) {
  const std::string where = datacenter_pattern(fault);
  if (fault.target == FaultTarget::kAny) return topology.processes_matching(where);
  const std::string_view role = kTargets[static_cast<std::size_t>(fault.target)];
  return topology.processes_matching(fmt::format("{}/{}", where, role));
}

// One group for each: a single draw decides.
template <class Act, class Id>
Candidates each_of(const std::vector<Id>& victims) {
  Candidates candidates;
  for (const Id victim : victims) candidates.push_back({Act{victim}});
  return candidates;
}

Candidates crashes(const RandomFault& fault, const sim::Topology& topology) {
  Candidates candidates;
  for (const photon::NodeId node : targets_of(fault, topology)) {
    candidates.push_back({sim::CrashProcess{{node}, std::nullopt}});
  }
  return candidates;
}

Candidates graceful_restarts(const RandomFault& fault, const sim::Topology& topology) {
  return each_of<sim::StopProcess>(targets_of(fault, topology));
}

Candidates pauses(const RandomFault& fault, const sim::Topology& topology) {
  return each_of<sim::PauseProcess>(targets_of(fault, topology));
}

Candidates cache_losses(const RandomFault& fault, const sim::Topology& topology) {
  return each_of<sim::LoseMemory>(
      topology.processes_matching(datacenter_pattern(fault) + "/cache"));
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

Candidates disk_losses(const RandomFault& fault, const sim::Topology& topology) {
  return each_of<sim::LoseDisk>(
      hosts_with_disks(topology, datacenter_pattern(fault) + "/registry"));
}

// It is cut off from all others; one way, from one of them.
Candidates partitions(const RandomFault& fault, const sim::Topology& topology) {
  Candidates candidates;
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

Candidates late_configurations(const RandomFault& fault, const sim::Topology& topology) {
  Candidates candidates;
  for (const sim::DatacenterInfo& place : topology.datacenters()) {
    if (!fault.datacenter.empty() && place.name != fault.datacenter) continue;
    candidates.push_back(
        {late_configuration_for(topology.processes_matching(place.name), place.name, topology)});
  }
  return candidates;
}

// Up to three in a row may hold up an answer.
void add_consequences(const Faults& faults, Consequences& all) {
  for (const RandomFault& fault : faults.of<RandomFault>()) {
    if (kind_of(fault).holds_answers) all.answers_held += 3 * fault.mean_duration;
  }
}

// No fault begins after the end of generation.
Duration end_of(const RandomFault& fault, Duration generation) {
  return std::min(fault.until.value_or(generation), generation);
}

sim::RandomFaults random_of(const RandomFault& fault, const sim::Topology& topology,
                            Duration generation) {
  const RandomKind& kind = kind_of(fault);
  sim::RandomFaults spec;
  spec.from = photon::SimTime(fault.from);
  spec.until = photon::SimTime(end_of(fault, generation));
  spec.mean_between = fault.mean_interval;
  spec.candidates = kind.candidates(fault, topology);
  spec.kind = kind.counted_as;
  Duration mean{0};
  if (kind.restart_after) mean = fault.restart_after;
  if (kind.mean_duration) mean = fault.mean_duration;
  spec.shortest = mean / 2;  // uniform between a half and one and a half of the mean
  spec.longest = mean + mean / 2;
  return spec;
}

}  // namespace

constinit const FaultTable kRandomFaults{
    .schema = fault_rows<kRandomRows, RandomFault>(
        "Faults at random times; the list is generated before the run."),
    .script = script_of<RandomFault>(),
    .kinds = {},
    .check = check_entry<RandomFault, check>,
    .consequences = add_consequences};

}  // namespace random_faults

std::vector<photon::sim::RandomFaults> random_faults_of(const Config& config,
                                                        const photon::sim::Topology& topology,
                                                        Duration generation) {
  std::vector<photon::sim::RandomFaults> all;
  for (const RandomFault& fault : config.faults.of<RandomFault>()) {
    all.push_back(random_faults::random_of(fault, topology, generation));
  }
  return all;
}

photon::models::InputFaults excessive_faults(const Config& config, Duration generation) {
  photon::models::InputFaults excessive;
  const std::vector<RandomFault>& entries = config.faults.of<RandomFault>();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const RandomFault& fault = entries[i];
    const Duration window = random_faults::end_of(fault, generation) - fault.from;
    if (window / fault.mean_interval <= random_faults::kMostRandomFaults) continue;
    excessive.add(
        {fmt::format("faults.random.{}", i), 0,
         fmt::format("in the {} s of this trace it means more than {} faults",
                     generation / std::chrono::seconds(1), random_faults::kMostRandomFaults),
         "a larger mean_interval, or an earlier until"});
  }
  return excessive;
}

}  // namespace photonsim::scenarios
