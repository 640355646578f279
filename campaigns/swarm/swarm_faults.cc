#include "campaigns/swarm/swarm_faults.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "campaigns/swarm/rng.h"
#include "campaigns/swarm/swarm_disks.h"
#include "campaigns/swarm/swarm_targets.h"

namespace photonsim::scenarios::swarm {
namespace {

using Draw = void (*)(Faults& faults, const Targets& targets, Rng& rng);

void draw_crash(Faults& faults, const Targets& targets, Rng& rng) {
  CrashFault crash;
  crash.process = targets.process(rng);
  crash.at = targets.when(rng);
  crash.restart_after = rng.time(10ms, 20s);
  crash.whole_host = rng.chance(0.3);
  faults.crashes.push_back(crash);
}

void draw_restart_loop(Faults& faults, const Targets& targets, Rng& rng) {
  CrashFault crash;
  crash.process = targets.process(rng);
  crash.at = targets.when(rng);
  crash.restart_after = rng.time(10ms, 2s);
  crash.times = rng.count(2, 8);
  crash.up_for = rng.time(10ms, 5s);
  faults.crashes.push_back(crash);
}

void draw_stop(Faults& faults, const Targets& targets, Rng& rng) {
  CrashFault crash;
  // Joiners have work to finish at a graceful stop.
  crash.process =
      targets.has_logs() && rng.chance(0.5) ? targets.joiner(rng) : targets.process(rng);
  crash.at = targets.when(rng);
  crash.restart_after = rng.time(10ms, 5s);
  crash.gracefully = true;
  faults.crashes.push_back(crash);
}

void draw_lost_disk(Faults& faults, const Targets& targets, Rng& rng) {
  if (!targets.has_fragile()) return;
  CrashFault crash;
  crash.process = targets.fragile_replica(rng);
  crash.at = targets.when(rng);
  crash.restart_after = rng.time(10ms, 10s);
  crash.lose_disk = true;
  faults.crashes.push_back(crash);
}

void draw_pause(Faults& faults, const Targets& targets, Rng& rng) {
  faults.pauses.push_back({targets.process(rng), targets.when(rng), rng.time(50ms, 20s)});
}

void draw_cache_loss(Faults& faults, const Targets& targets, Rng& rng) {
  faults.cache_losses.push_back({targets.cache(rng), targets.when(rng)});
}

void draw_late_configuration(Faults& faults, const Targets& targets, Rng& rng) {
  LateConfigurationFault late;
  late.who = {rng.chance(0.2) ? "any" : targets.party(rng)};
  late.at = targets.about_a_reshard(rng);
  // All requests of a registry-only workload wait meanwhile.
  late.duration = rng.time(200ms, targets.has_logs() ? 40s : 5s);
  faults.late_configurations.push_back(late);
}

void draw_outage(Faults& faults, const Targets& targets, Rng& rng) {
  OutageFault outage;
  outage.component =
      rng.one_of({OutageComponent::kAll, OutageComponent::kAll, OutageComponent::kRegistry,
                  OutageComponent::kPipeline, OutageComponent::kCell, OutageComponent::kLogs});
  const bool registry =
      outage.component == OutageComponent::kAll || outage.component == OutageComponent::kRegistry;
  outage.datacenter = registry ? targets.place(rng) : targets.pipeline(rng);
  if (outage.component == OutageComponent::kAll && rng.chance(0.5)) {
    outage.datacenter = targets.region_of(outage.datacenter);
  }
  outage.at = targets.when(rng);
  outage.duration = rng.time(200ms, 40s);
  faults.outages.push_back(outage);
  const bool cell = outage.component == OutageComponent::kCell;
  if (cell && rng.chance(0.5))
    start_anew(outage.datacenter, outage.at, outage.duration, faults, targets, rng);
}

void draw_partition(Faults& faults, const Targets& targets, Rng& rng) {
  PartitionFault partition;
  partition.from = targets.places(rng);
  partition.to = targets.others(partition.from);
  if (rng.chance(0.4)) {
    partition.direction = PartitionDirection::kOneWay;
    if (rng.chance(0.5)) std::swap(partition.from, partition.to);
  } else if (rng.chance(0.4)) {
    // Isolates three or more datacenters from each other; those not named reach all. Any choice is
    // valid: a group without a majority continues afterwards.
    partition.direction = PartitionDirection::kApart;
    const std::vector<std::string> all = targets.others({});
    partition.from = rng.some(all, rng.count(std::min<std::uint64_t>(3, all.size()), all.size()));
    partition.to.clear();
  }
  partition.at = targets.when(rng);
  partition.duration = rng.time(200ms, 40s);
  const bool both_sides = partition.direction == PartitionDirection::kApart ||
                          (!partition.from.empty() && !partition.to.empty());
  if (both_sides) faults.partitions.push_back(partition);
}

void draw_slow(Faults& faults, const Targets& targets, Rng& rng) {
  faults.slow.push_back({targets.place(rng), static_cast<double>(rng.size(2, 100)),
                         targets.when(rng), rng.time(500ms, 20s)});
}

void draw_link(Faults& faults, const Targets& targets, Rng& rng) {
  LinkFault link;
  link.kind =
      rng.one_of({LinkFaultKind::kLoss, LinkFaultKind::kReplyLoss, LinkFaultKind::kDuplication,
                  LinkFaultKind::kLateDuplication, LinkFaultKind::kReordering,
                  LinkFaultKind::kDelay, LinkFaultKind::kClog, LinkFaultKind::kSwizzle});
  link.from = {rng.chance(0.3) ? "any" : targets.party(rng)};
  link.to = {rng.chance(0.4) ? "any" : targets.party(rng)};
  link.share = rng.chance(0.3) ? 1.0 : rng.share(0.01, 1.0);
  link.at = targets.when(rng);
  link.duration = rng.time(200ms, 20s);
  const bool has_delay = link.kind == LinkFaultKind::kLateDuplication ||
                         link.kind == LinkFaultKind::kReordering ||
                         link.kind == LinkFaultKind::kDelay;
  if (has_delay) link.delay = rng.time(5ms, 10s);
  faults.links.push_back(link);
}

void draw_log_stall(Faults& faults, const Targets& targets, Rng& rng) {
  LogStallFault stall;
  stall.log = rng.one_of({LogKind::kQueries, LogKind::kClicks});
  stall.datacenter = rng.chance(0.5) ? targets.pipeline(rng) : std::string();
  stall.at = targets.when(rng);
  stall.duration = rng.time(500ms, 30s);
  stall.tail = rng.chance(0.5) ? rng.time(10ms, 3s) : 0s;
  faults.log_stalls.push_back(stall);
}

void draw_log_damage(Faults& faults, const Targets& targets, Rng& rng) {
  LogDamageFault damage;
  damage.log = rng.one_of({LogKind::kQueries, LogKind::kClicks});
  damage.datacenter = rng.chance(0.6) ? targets.pipeline(rng) : std::string();
  damage.at = targets.when(rng);
  damage.duration = rng.time(1s, 60s);
  damage.share = rng.share(0.01, 0.5);
  damage.how = rng.one_of({DamageKind::kFlip, DamageKind::kLose});
  faults.log_damages.push_back(damage);
}

void draw_log_truncation(Faults& faults, const Targets& targets, Rng& rng) {
  LogTruncationFault truncation;
  truncation.log = rng.one_of({LogKind::kQueries, LogKind::kClicks});
  truncation.datacenter = targets.pipeline(rng);
  truncation.at = targets.when(rng);
  truncation.duration = rng.time(200ms, 40s);
  truncation.bytes = rng.size(10, 200'000);
  faults.log_truncations.push_back(truncation);
}

void draw_log_truncations(Config& config, const Targets& targets, std::uint64_t seed) {
  Rng rng(seed, Part::log_truncations);
  if (config.registry_only() || !rng.chance(0.3)) return;
  for (std::uint64_t i = rng.size(1, 4); i > 0; --i) {
    draw_log_truncation(config.faults, targets, rng);
  }
}

void draw_output_loss(Faults& faults, const Targets& targets, Rng& rng) {
  faults.output_losses.push_back({targets.pipeline(rng), targets.when(rng), rng.size(1, 20)});
}

void draw_truetime_outage(Faults& faults, const Targets& targets, Rng& rng) {
  faults.truetime_outages.push_back({rng.one_of({LogKind::kQueries, LogKind::kClicks}), "any",
                                     targets.when(rng), rng.time(1s, 60s)});
}

// Stays inside the bound: uses what sync_error and drift leave of epsilon.
void draw_clock(Faults& faults, const Targets& targets, Rng& rng) {
  ClockFault clock;
  clock.kind = rng.one_of({ClockFaultKind::kOffset, ClockFaultKind::kDrift, ClockFaultKind::kStep,
                           ClockFaultKind::kFreeze, ClockFaultKind::kTrueTimeOutage});
  // Log servers read their clocks all the time, so a short freeze takes effect there.
  const bool freeze = clock.kind == ClockFaultKind::kFreeze;
  const bool of_process = rng.chance(freeze ? 0.2 : 0.6) || !targets.has_logs();
  if (of_process) {
    clock.process = targets.process(rng);
  } else {
    clock.log = rng.one_of({LogKind::kQueries, LogKind::kClicks});
  }
  if (clock.kind == ClockFaultKind::kTrueTimeOutage && !of_process)
    clock.kind = ClockFaultKind::kFreeze;
  clock.direction = rng.one_of({ClockDirection::kForward, ClockDirection::kBack});
  clock.at = targets.when(rng);
  const Duration room = targets.clock_room();
  if (room < 100us) return;
  const Duration carried = rng.time(50us, room);
  switch (clock.kind) {
    case ClockFaultKind::kStep:
      clock.by = carried;
      break;
    case ClockFaultKind::kOffset:
      clock.by = carried;
      clock.duration = rng.time(200ms, 40s);
      break;
    case ClockFaultKind::kDrift:
      clock.duration = rng.time(1s, 40s);
      clock.rate = rng.share(1e-6, std::min(0.3, static_cast<double>(room.count()) /
                                                     static_cast<double>(clock.duration.count())));
      break;
    case ClockFaultKind::kFreeze:
      // A freeze must be short; a process must read the clock meanwhile for it to take effect.
      clock.duration = rng.time(std::max<Duration>(room / 4, 50us), room);
      break;
    default:  // an outage; drift x duration must fit as well
      clock.duration = std::min<Duration>(rng.time(1s, 60s), targets.longest_outage());
      break;
  }
  faults.clocks.push_back(clock);
}

// Crashes joiners between registration and output, of which there is much while their cell is slow.
// Also crashes the processes that must detect the loss (SPEC F-04..F-12).
void draw_lost_output(Faults& faults, const Targets& targets, Rng& rng) {
  DiskFault slow;
  slow.where = targets.pipeline(rng);
  slow.kind = DiskFaultKind::kSlow;
  slow.factor = static_cast<double>(rng.size(20, 200));
  slow.at = targets.when(rng);
  slow.duration = rng.time(1s, 10s);
  faults.disks.push_back(slow);
  const auto die = [&](const std::string& role, Duration at, Duration lasting) {
    CrashFault crash;
    crash.process = targets.process_at(slow.where, role, rng);
    crash.at = targets.within(at, lasting, rng);
    crash.restart_after = rng.time(10ms, 5s);
    faults.crashes.push_back(crash);
  };
  for (std::uint64_t i = rng.count(1, 3); i > 0; --i) die("joiner", slow.at, slow.duration);
  for (std::uint64_t i = rng.count(0, 4); i > 0; --i) {
    die(rng.one_of<std::string>({"verifier", "verifier", "auditor"}), slow.at, 100s);
  }
}

// What a configuration must have for a fault class to apply.
enum class Needs : std::uint8_t { nothing, pipelines, configuration, verification };

struct FaultClass {
  Draw draw;
  Needs needs = Needs::nothing;
};

constexpr std::array kClasses{FaultClass{draw_crash},
                              FaultClass{draw_restart_loop},
                              FaultClass{draw_stop},
                              FaultClass{draw_lost_disk},
                              FaultClass{draw_pause},
                              FaultClass{draw_outage},
                              FaultClass{draw_partition},
                              FaultClass{draw_slow},
                              FaultClass{draw_link},
                              FaultClass{draw_link},
                              FaultClass{draw_clock},
                              FaultClass{draw_cache_loss, Needs::pipelines},
                              FaultClass{draw_log_stall, Needs::pipelines},
                              FaultClass{draw_log_damage, Needs::pipelines},
                              FaultClass{draw_output_loss, Needs::pipelines},
                              FaultClass{draw_truetime_outage, Needs::pipelines},
                              FaultClass{draw_late_configuration, Needs::configuration},
                              FaultClass{draw_lost_output, Needs::verification}};

bool is_possible(const FaultClass& each, const Config& config) {
  switch (each.needs) {
    case Needs::nothing:
      break;
    case Needs::pipelines:
      return !config.registry_only();
    case Needs::configuration:
      return config.registry.sharding == Sharding::kDynamic;
    case Needs::verification:
      return config.verification.enabled;
  }
  return true;
}

}  // namespace

void draw_faults(Config& config, const Options& options, std::uint64_t seed) {
  const Targets targets(config, seed);
  Rng classes(seed, Part::fault_classes);
  config.faults.inert = InertFaults::kAllow;
  if (classes.chance(0.02)) return;  // some configurations have no faults
  std::vector<Draw> enabled;
  for (const FaultClass& each : kClasses) {
    const std::uint64_t weight = classes.chance(0.5) ? classes.size(1, 8) : 0;
    if (is_possible(each, config)) enabled.insert(enabled.end(), weight, each.draw);
  }
  if (enabled.empty()) enabled.push_back(draw_crash);
  const std::uint64_t most = options.profile == Profile::deep ? 60 : 16;
  const std::uint64_t count = classes.size(1, most);
  for (std::uint32_t i = 0; i < count; ++i) {
    Rng rng(seed, Part::faults, i);
    rng.of(enabled)(config.faults, targets, rng);
  }
  draw_disks(config, targets, seed);
  draw_log_truncations(config, targets, seed);
}

void add_fault(Config& config, std::uint64_t world_seed, Rng& rng) {
  const Targets targets(config, world_seed);
  if (rng.chance(0.15)) return draw_disk(config, targets, rng);
  std::vector<Draw> possible;
  for (const FaultClass& each : kClasses) {
    if (is_possible(each, config)) possible.push_back(each.draw);
  }
  if (!config.registry_only()) possible.push_back(draw_log_truncation);
  rng.of(possible)(config.faults, targets, rng);
}

}  // namespace photonsim::scenarios::swarm
