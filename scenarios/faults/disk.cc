// [[faults.disk]]: keys, rules, lowering and generation.

#include "scenarios/faults/disk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/config/config_names.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/generators.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios {
namespace disk_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

struct DiskKind {
  DiskFaultKind kind;
  std::string_view word;
  CountedKind counted;
  // The effect on requests while it lasts; torn writes and bit rot are actions of their own.
  std::optional<sim::VolumeFault::Kind> effect{};
};
using Effect = sim::VolumeFault::Kind;
// By enumerator.
constexpr std::array kKinds{
    DiskKind{DiskFaultKind::kWriteError,
             "write_error",
             {"disk.write_error", "A write was answered `unavailable`."},
             Effect::write_error},
    DiskKind{DiskFaultKind::kFull, "full", {"disk.full", "A request found no room."}, Effect::full},
    DiskKind{DiskFaultKind::kSlow,
             "slow",
             {"disk.slow", "Another event reached the process while the answer was late."},
             Effect::slow},
    DiskKind{DiskFaultKind::kTornWrite,
             "torn_write",
             {sim::TornWrite::kName, "Bytes of a torn append were read."}},
    DiskKind{DiskFaultKind::kLostSync,
             "lost_sync",
             {"disk.lost_sync", "A crash undid bytes that were synced.", ShownBy::contract},
             Effect::lost_sync},
    DiskKind{DiskFaultKind::kBitRot, "bit_rot", {sim::BitRot::kName, "The wrong bit was read."}},
    DiskKind{DiskFaultKind::kMisdirectedWrite,
             "misdirected_write",
             {"disk.misdirected_write", "Bytes that were overwritten, or are missing, were read."},
             Effect::misdirected_write}};
static_assert(in_order(kKinds, &DiskKind::kind));
constexpr auto kWords = words_of(kKinds);
constexpr auto kCounted = counted_of(kKinds);

constexpr std::array kDiskFaultRows{
    row<&DiskFault::where>({"where",
                            Kind::kName,
                            {},
                            "A process, named as in faults.crash: the disk of its host; or a "
                            "datacenter: its shared cell.",
                            "M",
                            {},
                            {},
                            true}),
    row<&DiskFault::kind>(
        {"kind",
         Kind::kChoice,
         {},
         "write_error: writes answer \"unavailable\"; they may have happened. full: nothing can "
         "grow. slow: requests take `factor` times as long. torn_write: the host, or a process "
         "that writes to the cell, crashes during an append, and a part of it is written. "
         "lost_sync: a crash of the host before the fault ends undoes what was synced. bit_rot: "
         "one stored bit is wrong from then on. misdirected_write: appended bytes overwrite "
         "other stored bytes, and zeros are in their place.",
         "SPEC B-18",
         kWords,
         {},
         true}),
    row<&DiskFault::at>({"at",
                         Kind::kDuration,
                         kTime,
                         "When it begins; torn_write: at the next append; bit_rot: when a byte is "
                         "stored.",
                         "M",
                         {},
                         {},
                         true}),
    row<&DiskFault::duration>({"for", Kind::kDuration, kSpan,
                               "How long; torn_write: until the restart. Not of bit_rot.", "M"}),
    row<&DiskFault::share>({"share", Kind::kFraction, kUnit,
                            "Share of the requests. Not of torn_write and bit_rot.", "M"}),
    row<&DiskFault::factor>(
        {"factor", Kind::kReal, between(1, 1000), "Of slow: the slowdown factor.", "M"}),
};

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

// Keys of other kinds have no effect.
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
    if (fault.share < 1) refuse("share", "kinds that concern single requests");
  }
  if (fault.kind != DiskFaultKind::kSlow) {
    if (std::abs(fault.factor - by_default.factor) > 0) refuse("factor", "kind = \"slow\"");
  }
}

void check(Validation& v, const std::string& path, const DiskFault& disk) {
  check_start(v, path + ".at", disk.at);
  check_disk_place(v, path + ".where", disk);
  check_disk_keys(v, path, disk);
  if (disk.share <= 0) {
    v.refuse({path + ".share", path}, "no request is concerned", "a share above 0");
  }
  if (disk.kind == DiskFaultKind::kSlow && disk.factor <= 1) {
    v.refuse({path + ".factor", path}, "nothing is slower by this factor", "more than 1");
  }
}

// The disk of a process's host, or the cell of a datacenter.
photon::VolumeId volume_named(const sim::Topology& topology, const std::string& where) {
  const auto datacenter = topology.find_datacenter(where);
  for (const sim::VolumeInfo& volume : topology.volumes()) {
    const bool meant =
        datacenter
            ? volume.kind == sim::VolumeClass::shared_cell && volume.datacenter == *datacenter
            : volume.kind == sim::VolumeClass::host_disk &&
                  volume.host == topology.process(process_named(topology, where)).host;
    if (meant) return volume.id;
  }
  PHOTON_CHECK(false, "the scenario was validated, so there is such a disk or cell");
  return {};
}

ScriptedFault lower(const Lowering& lowering, const DiskFault& disk, std::size_t /*number*/) {
  const DiskKind& kind = kKinds[static_cast<std::size_t>(disk.kind)];
  const photon::VolumeId volume = volume_named(lowering.topology, disk.where);
  if (disk.kind == DiskFaultKind::kBitRot) {
    return {fault_of({disk.at, sim::kForever}, sim::BitRot{volume})};
  }
  if (!kind.effect) return {fault_of({disk.at, disk.duration}, sim::TornWrite{volume, {}})};
  const auto permille = static_cast<std::uint64_t>(disk.factor * 1000);
  return {fault_of({disk.at, disk.duration},
                   sim::DiskFault{volume, {*kind.effect, photon::Chance(disk.share), permille}},
                   kind.counted.name)};
}

// Corrupted bytes do lasting harm, so only replicas that their groups can spare get them. No group
// tolerates lost syncs, so they are not generated.
DiskFaultKind generated_kind(const Targets& targets, Draws& draws) {
  const bool lasting = targets.has_fragile() && draws.chance(0.25);
  if (lasting) return draws.one_of({DiskFaultKind::kBitRot, DiskFaultKind::kMisdirectedWrite});
  return draws.one_of({DiskFaultKind::kWriteError, DiskFaultKind::kFull, DiskFaultKind::kSlow,
                       DiskFaultKind::kTornWrite, DiskFaultKind::kTornWrite});
}

// A cell has no copy: no process can repair what is wrong in it, and verifiers trust what they read
// there.
bool concerns_cell(const Config& config, bool lasting, Draws& draws) {
  const bool bearable = config.scenario.tier == Tier::kOver && !config.verification.enabled;
  if (lasting && !bearable) return false;
  return draws.chance(0.4);
}

void generate(Config& config, const Targets& targets, Draws& draws) {
  DiskFault disk;
  disk.kind = generated_kind(targets, draws);
  const bool rots = disk.kind == DiskFaultKind::kBitRot;
  const bool lasting = corrupts(disk.kind);
  const bool cell = concerns_cell(config, lasting, draws);
  if (cell) {
    disk.where = targets.pipeline(draws);
  } else {
    disk.where = lasting ? targets.fragile_replica(draws) : targets.replica(draws);
  }
  disk.at = targets.when(draws);
  if (!rots) disk.duration = draws.time(100ms, 20s);
  const bool requests = !rots && disk.kind != DiskFaultKind::kTornWrite;
  if (requests && draws.chance(0.5)) disk.share = draws.share(0.01, 1.0);
  if (disk.kind == DiskFaultKind::kSlow) disk.factor = static_cast<double>(draws.size(2, 200));
  config.faults.of<DiskFault>().push_back(disk);
}

// In half of the configurations. Wrong bytes are read at a restart, so their process may crash.
void generate_all(Config& config, const Targets& targets, Draws& draws) {
  if (!draws.chance(0.5)) return;
  for (std::uint64_t i = draws.size(1, 8); i > 0; --i) {
    generate(config, targets, draws);
    const DiskFault drawn = config.faults.of<DiskFault>().back();
    const bool wrong = corrupts(drawn.kind);
    if (!wrong && drawn.kind != DiskFaultKind::kTornWrite && draws.chance(0.4)) {
      start_anew(drawn.where, drawn.at, drawn.duration, config, targets, draws);
    }
    if (!wrong || !draws.chance(0.8)) continue;
    CrashFault crash;
    crash.process = targets.reads_disk_of(drawn.where, draws);
    crash.at = std::max(drawn.at, targets.when(draws));
    crash.restart_after = draws.time(10ms, 10s);
    config.faults.of<CrashFault>().push_back(crash);
  }
}

void add_consequences(const Faults& faults, Consequences& all) {
  hold_answers<DiskFault>(faults, all);
  for (const DiskFault& disk : faults.of<DiskFault>()) {
    if (corrupts(disk.kind)) all.wrong_bytes.push_back(disk.where);
  }
}

void limit_slowdown(Faults& faults, const std::string& datacenter, double& most) {
  for (DiskFault& disk : faults.of<DiskFault>()) {
    if (disk.kind != DiskFaultKind::kSlow || datacenter_of(disk.where) != datacenter) continue;
    disk.factor = limited_factor(disk.factor, most);
  }
}

constexpr std::array kGenerators{FaultGenerator{
    .number = 18, .add = generate, .all = generate_all, .part = 9, .share_of_mutations = 0.15}};

}  // namespace

constinit const FaultTable kDiskFaults{
    .schema = fault_rows<kDiskFaultRows, DiskFault>("A fault of one disk or of one shared cell."),
    .script = script_of<DiskFault>(),
    .kinds = kCounted,
    .check = check_entry<DiskFault, check>,
    .turn = 7,
    .lower = lower_entry<DiskFault, lower>,
    .consequences = add_consequences,
    .limit_slowdown = limit_slowdown,
    .generators = kGenerators};

}  // namespace disk_faults

void start_anew(const std::string& where, Duration at, Duration lasting, Config& config,
                const swarm::Targets& targets, swarm::Draws& draws) {
  CrashFault crash;
  crash.process = targets.reads_disk_of(where, draws);
  crash.at = targets.within(at, lasting, draws);
  crash.restart_after = draws.time(10ms, 1s);
  crash.times = draws.count(1, 3);
  crash.up_for = draws.time(10ms, 5s);
  config.faults.of<CrashFault>().push_back(crash);
}

}  // namespace photonsim::scenarios
