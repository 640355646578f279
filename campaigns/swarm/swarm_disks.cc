#include "campaigns/swarm/swarm_disks.h"

#include <algorithm>

namespace photonsim::scenarios::swarm {
namespace {

// Corrupted bytes do lasting harm, so only replicas that their groups can spare get them. No group
// tolerates lost syncs: they are not drawn.
DiskFaultKind disk_mishap(const Targets& targets, Rng& rng) {
  const bool lasting = targets.has_fragile() && rng.chance(0.25);
  if (lasting) return rng.one_of({DiskFaultKind::kBitRot, DiskFaultKind::kMisdirectedWrite});
  return rng.one_of({DiskFaultKind::kWriteError, DiskFaultKind::kFull, DiskFaultKind::kSlow,
                     DiskFaultKind::kTornWrite, DiskFaultKind::kTornWrite});
}

// A cell has no copy: nothing else can repair what is wrong in it, and verifiers trust what
// they read there.
bool affects_cell(const Config& config, bool lasting, Rng& rng) {
  const bool bearable = config.scenario.tier == Tier::kOver && !config.verification.enabled;
  if (lasting && !bearable) return false;
  return rng.chance(0.4);
}

}  // namespace

void draw_disk(Config& config, const Targets& targets, Rng& rng) {
  DiskFault disk;
  disk.kind = disk_mishap(targets, rng);
  const bool rots = disk.kind == DiskFaultKind::kBitRot;
  const bool lasting = corrupts(disk.kind);
  const bool cell = affects_cell(config, lasting, rng);
  if (cell) {
    disk.where = targets.pipeline(rng);
  } else {
    disk.where = lasting ? targets.fragile_replica(rng) : targets.replica(rng);
  }
  disk.at = targets.when(rng);
  if (!rots) disk.duration = rng.time(100ms, 20s);
  const bool requests = !rots && disk.kind != DiskFaultKind::kTornWrite;
  if (requests && rng.chance(0.5)) disk.share = rng.share(0.01, 1.0);
  if (disk.kind == DiskFaultKind::kSlow) disk.factor = static_cast<double>(rng.size(2, 200));
  config.faults.disks.push_back(disk);
}

void draw_disks(Config& config, const Targets& targets, std::uint64_t seed) {
  Rng rng(seed, Part::disk_faults);
  if (!rng.chance(0.5)) return;
  for (std::uint64_t i = rng.size(1, 8); i > 0; --i) {
    draw_disk(config, targets, rng);
    const DiskFault& drawn = config.faults.disks.back();
    const bool wrong = corrupts(drawn.kind);
    if (!wrong && drawn.kind != DiskFaultKind::kTornWrite && rng.chance(0.4)) {
      start_anew(drawn.where, drawn.at, drawn.duration, config.faults, targets, rng);
    }
    if (!wrong || !rng.chance(0.8)) continue;
    CrashFault crash;
    crash.process = targets.reads_disk_of(drawn.where, rng);
    crash.at = std::max(drawn.at, targets.when(rng));
    crash.restart_after = rng.time(10ms, 10s);
    config.faults.crashes.push_back(crash);
  }
}

void start_anew(const std::string& where, Duration at, Duration lasting, Faults& faults,
                const Targets& targets, Rng& rng) {
  CrashFault crash;
  crash.process = targets.reads_disk_of(where, rng);
  crash.at = targets.within(at, lasting, rng);
  crash.restart_after = rng.time(10ms, 1s);
  crash.times = rng.count(1, 3);
  crash.up_for = rng.time(10ms, 5s);
  faults.crashes.push_back(crash);
}

}  // namespace photonsim::scenarios::swarm
