#include "campaigns/swarm/swarm_disks.h"

#include <algorithm>

namespace photonsim::scenarios::swarm {
namespace {

// Corrupted bytes do lasting harm, so only replicas that their groups can spare get them. No group
// tolerates lost syncs: they are not drawn.
DiskFaultKind disk_mishap(const Targets& targets, Dice& dice) {
  const bool lasting = targets.has_fragile() && dice.chance(0.25);
  if (lasting) return dice.one_of({DiskFaultKind::kBitRot, DiskFaultKind::kMisdirectedWrite});
  return dice.one_of({DiskFaultKind::kWriteError, DiskFaultKind::kFull, DiskFaultKind::kSlow,
                      DiskFaultKind::kTornWrite, DiskFaultKind::kTornWrite});
}

// A cell has no copy: nothing else can repair what is wrong in it, and verifiers trust what
// they read there.
bool strikes_cell(const Config& config, bool lasting, Dice& dice) {
  const bool bearable = config.scenario.tier == Tier::kOver && !config.verification.enabled;
  if (lasting && !bearable) return false;
  return dice.chance(0.4);
}

}  // namespace

void draw_disk(Config& config, const Targets& targets, Dice& dice) {
  DiskFault disk;
  disk.kind = disk_mishap(targets, dice);
  const bool rots = disk.kind == DiskFaultKind::kBitRot;
  const bool lasting = corrupts(disk.kind);
  const bool cell = strikes_cell(config, lasting, dice);
  if (cell) {
    disk.where = targets.pipeline(dice);
  } else {
    disk.where = lasting ? targets.fragile_replica(dice) : targets.replica(dice);
  }
  disk.at = targets.when(dice);
  if (!rots) disk.duration = dice.time(100ms, 20s);
  const bool requests = !rots && disk.kind != DiskFaultKind::kTornWrite;
  if (requests && dice.chance(0.5)) disk.share = dice.share(0.01, 1.0);
  if (disk.kind == DiskFaultKind::kSlow) disk.factor = static_cast<double>(dice.size(2, 200));
  config.faults.disks.push_back(disk);
}

void draw_disks(Config& config, const Targets& targets, std::uint64_t seed) {
  Dice dice(seed, Part::disk_faults);
  if (!dice.chance(0.5)) return;
  for (std::uint64_t i = dice.size(1, 8); i > 0; --i) {
    draw_disk(config, targets, dice);
    const DiskFault& drawn = config.faults.disks.back();
    const bool wrong = corrupts(drawn.kind);
    if (!wrong && drawn.kind != DiskFaultKind::kTornWrite && dice.chance(0.4)) {
      start_anew(drawn.where, drawn.at, drawn.duration, config.faults, targets, dice);
    }
    if (!wrong || !dice.chance(0.8)) continue;
    CrashFault crash;
    crash.process = targets.reads_disk_of(drawn.where, dice);
    crash.at = std::max(drawn.at, targets.when(dice));
    crash.restart_after = dice.time(10ms, 10s);
    config.faults.crashes.push_back(crash);
  }
}

void start_anew(const std::string& where, Duration at, Duration lasting, Faults& faults,
                const Targets& targets, Dice& dice) {
  CrashFault crash;
  crash.process = targets.reads_disk_of(where, dice);
  crash.at = targets.within(at, lasting, dice);
  crash.restart_after = dice.time(10ms, 1s);
  crash.times = dice.count(1, 3);
  crash.up_for = dice.time(10ms, 5s);
  faults.crashes.push_back(crash);
}

}  // namespace photonsim::scenarios::swarm
