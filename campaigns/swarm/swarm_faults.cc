#include "campaigns/swarm/swarm_faults.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "campaigns/swarm/dice.h"
#include "campaigns/swarm/swarm_disks.h"
#include "campaigns/swarm/swarm_targets.h"

namespace photonsim::scenarios::swarm {
namespace {

using Draw = void (*)(Faults& faults, const Targets& targets, Dice& dice);

void draw_crash(Faults& faults, const Targets& targets, Dice& dice) {
  CrashFault crash;
  crash.process = targets.process(dice);
  crash.at = targets.when(dice);
  crash.restart_after = dice.time(10ms, 20s);
  crash.whole_host = dice.chance(0.3);
  faults.crashes.push_back(crash);
}

void draw_restart_loop(Faults& faults, const Targets& targets, Dice& dice) {
  CrashFault crash;
  crash.process = targets.process(dice);
  crash.at = targets.when(dice);
  crash.restart_after = dice.time(10ms, 2s);
  crash.times = dice.count(2, 8);
  crash.up_for = dice.time(10ms, 5s);
  faults.crashes.push_back(crash);
}

void draw_stop(Faults& faults, const Targets& targets, Dice& dice) {
  CrashFault crash;
  // Joiners have work to finish at a graceful stop.
  crash.process =
      targets.has_logs() && dice.chance(0.5) ? targets.joiner(dice) : targets.process(dice);
  crash.at = targets.when(dice);
  crash.restart_after = dice.time(10ms, 5s);
  crash.gracefully = true;
  faults.crashes.push_back(crash);
}

void draw_lost_disk(Faults& faults, const Targets& targets, Dice& dice) {
  if (!targets.has_fragile()) return;
  CrashFault crash;
  crash.process = targets.fragile_replica(dice);
  crash.at = targets.when(dice);
  crash.restart_after = dice.time(10ms, 10s);
  crash.lose_disk = true;
  faults.crashes.push_back(crash);
}

void draw_pause(Faults& faults, const Targets& targets, Dice& dice) {
  faults.pauses.push_back({targets.process(dice), targets.when(dice), dice.time(50ms, 20s)});
}

void draw_cache_loss(Faults& faults, const Targets& targets, Dice& dice) {
  faults.cache_losses.push_back({targets.cache(dice), targets.when(dice)});
}

void draw_late_configuration(Faults& faults, const Targets& targets, Dice& dice) {
  LateConfigurationFault late;
  late.who = {dice.chance(0.2) ? "any" : targets.party(dice)};
  late.at = targets.about_a_reshard(dice);
  // All requests of a registry-only workload wait meanwhile.
  late.duration = dice.time(200ms, targets.has_logs() ? 40s : 5s);
  faults.late_configurations.push_back(late);
}

void draw_outage(Faults& faults, const Targets& targets, Dice& dice) {
  OutageFault outage;
  outage.component =
      dice.one_of({OutageComponent::kAll, OutageComponent::kAll, OutageComponent::kRegistry,
                   OutageComponent::kPipeline, OutageComponent::kCell, OutageComponent::kLogs});
  const bool registry =
      outage.component == OutageComponent::kAll || outage.component == OutageComponent::kRegistry;
  outage.datacenter = registry ? targets.place(dice) : targets.pipeline(dice);
  if (outage.component == OutageComponent::kAll && dice.chance(0.5)) {
    outage.datacenter = targets.region_of(outage.datacenter);
  }
  outage.at = targets.when(dice);
  outage.duration = dice.time(200ms, 40s);
  faults.outages.push_back(outage);
  const bool cell = outage.component == OutageComponent::kCell;
  if (cell && dice.chance(0.5))
    start_anew(outage.datacenter, outage.at, outage.duration, faults, targets, dice);
}

void draw_partition(Faults& faults, const Targets& targets, Dice& dice) {
  PartitionFault partition;
  partition.from = targets.places(dice);
  partition.to = targets.others(partition.from);
  if (dice.chance(0.4)) {
    partition.direction = PartitionDirection::kOneWay;
    if (dice.chance(0.5)) std::swap(partition.from, partition.to);
  } else if (dice.chance(0.4)) {
    // Isolates three or more datacenters from each other; those not named reach all. Any choice is
    // valid: a group without a majority continues afterwards.
    partition.direction = PartitionDirection::kApart;
    const std::vector<std::string> all = targets.others({});
    partition.from = dice.some(all, dice.count(std::min<std::uint64_t>(3, all.size()), all.size()));
    partition.to.clear();
  }
  partition.at = targets.when(dice);
  partition.duration = dice.time(200ms, 40s);
  const bool both_sides = partition.direction == PartitionDirection::kApart ||
                          (!partition.from.empty() && !partition.to.empty());
  if (both_sides) faults.partitions.push_back(partition);
}

void draw_slow(Faults& faults, const Targets& targets, Dice& dice) {
  faults.slow.push_back({targets.place(dice), static_cast<double>(dice.size(2, 100)),
                         targets.when(dice), dice.time(500ms, 20s)});
}

void draw_link(Faults& faults, const Targets& targets, Dice& dice) {
  LinkFault link;
  link.kind =
      dice.one_of({LinkFaultKind::kLoss, LinkFaultKind::kReplyLoss, LinkFaultKind::kDuplication,
                   LinkFaultKind::kLateDuplication, LinkFaultKind::kReordering,
                   LinkFaultKind::kDelay, LinkFaultKind::kClog, LinkFaultKind::kSwizzle});
  link.from = {dice.chance(0.3) ? "any" : targets.party(dice)};
  link.to = {dice.chance(0.4) ? "any" : targets.party(dice)};
  link.share = dice.chance(0.3) ? 1.0 : dice.share(0.01, 1.0);
  link.at = targets.when(dice);
  link.duration = dice.time(200ms, 20s);
  const bool has_delay = link.kind == LinkFaultKind::kLateDuplication ||
                         link.kind == LinkFaultKind::kReordering ||
                         link.kind == LinkFaultKind::kDelay;
  if (has_delay) link.delay = dice.time(5ms, 10s);
  faults.links.push_back(link);
}

void draw_log_stall(Faults& faults, const Targets& targets, Dice& dice) {
  LogStallFault stall;
  stall.log = dice.one_of({LogKind::kQueries, LogKind::kClicks});
  stall.datacenter = dice.chance(0.5) ? targets.pipeline(dice) : std::string();
  stall.at = targets.when(dice);
  stall.duration = dice.time(500ms, 30s);
  stall.tail = dice.chance(0.5) ? dice.time(10ms, 3s) : 0s;
  faults.log_stalls.push_back(stall);
}

void draw_log_damage(Faults& faults, const Targets& targets, Dice& dice) {
  LogDamageFault damage;
  damage.log = dice.one_of({LogKind::kQueries, LogKind::kClicks});
  damage.datacenter = dice.chance(0.6) ? targets.pipeline(dice) : std::string();
  damage.at = targets.when(dice);
  damage.duration = dice.time(1s, 60s);
  damage.share = dice.share(0.01, 0.5);
  damage.how = dice.one_of({DamageKind::kFlip, DamageKind::kLose});
  faults.log_damages.push_back(damage);
}

void draw_log_truncation(Faults& faults, const Targets& targets, Dice& dice) {
  LogTruncationFault truncation;
  truncation.log = dice.one_of({LogKind::kQueries, LogKind::kClicks});
  truncation.datacenter = targets.pipeline(dice);
  truncation.at = targets.when(dice);
  truncation.duration = dice.time(200ms, 40s);
  truncation.bytes = dice.size(10, 200'000);
  faults.log_truncations.push_back(truncation);
}

void draw_log_truncations(Config& config, const Targets& targets, std::uint64_t seed) {
  Dice dice(seed, Part::log_truncations);
  if (config.registry_only() || !dice.chance(0.3)) return;
  for (std::uint64_t i = dice.size(1, 4); i > 0; --i) {
    draw_log_truncation(config.faults, targets, dice);
  }
}

void draw_output_loss(Faults& faults, const Targets& targets, Dice& dice) {
  faults.output_losses.push_back({targets.pipeline(dice), targets.when(dice), dice.size(1, 20)});
}

void draw_truetime_outage(Faults& faults, const Targets& targets, Dice& dice) {
  faults.truetime_outages.push_back({dice.one_of({LogKind::kQueries, LogKind::kClicks}), "any",
                                     targets.when(dice), dice.time(1s, 60s)});
}

// Stays inside the bound: uses what sync_error and drift leave of epsilon.
void draw_clock(Faults& faults, const Targets& targets, Dice& dice) {
  ClockFault clock;
  clock.kind = dice.one_of({ClockFaultKind::kOffset, ClockFaultKind::kDrift, ClockFaultKind::kStep,
                            ClockFaultKind::kFreeze, ClockFaultKind::kTrueTimeOutage});
  // Log servers read their clocks all the time, so a short freeze takes effect there.
  const bool freeze = clock.kind == ClockFaultKind::kFreeze;
  const bool of_process = dice.chance(freeze ? 0.2 : 0.6) || !targets.has_logs();
  if (of_process) {
    clock.process = targets.process(dice);
  } else {
    clock.log = dice.one_of({LogKind::kQueries, LogKind::kClicks});
  }
  if (clock.kind == ClockFaultKind::kTrueTimeOutage && !of_process)
    clock.kind = ClockFaultKind::kFreeze;
  clock.direction = dice.one_of({ClockDirection::kForward, ClockDirection::kBack});
  clock.at = targets.when(dice);
  const Duration room = targets.clock_room();
  if (room < 100us) return;
  const Duration carried = dice.time(50us, room);
  switch (clock.kind) {
    case ClockFaultKind::kStep:
      clock.by = carried;
      break;
    case ClockFaultKind::kOffset:
      clock.by = carried;
      clock.duration = dice.time(200ms, 40s);
      break;
    case ClockFaultKind::kDrift:
      clock.duration = dice.time(1s, 40s);
      clock.rate = dice.share(1e-6, std::min(0.3, static_cast<double>(room.count()) /
                                                      static_cast<double>(clock.duration.count())));
      break;
    case ClockFaultKind::kFreeze:
      // A freeze must be short; a process must read the clock meanwhile for it to take effect.
      clock.duration = dice.time(std::max<Duration>(room / 4, 50us), room);
      break;
    default:  // an outage; drift x duration must fit as well
      clock.duration = std::min<Duration>(dice.time(1s, 60s), targets.longest_outage());
      break;
  }
  faults.clocks.push_back(clock);
}

// Crashes joiners between registration and output, of which there is much while their cell is slow.
// Also crashes the processes that must detect the loss (SPEC F-04..F-12).
void draw_lost_output(Faults& faults, const Targets& targets, Dice& dice) {
  DiskFault slow;
  slow.where = targets.pipeline(dice);
  slow.kind = DiskFaultKind::kSlow;
  slow.factor = static_cast<double>(dice.size(20, 200));
  slow.at = targets.when(dice);
  slow.duration = dice.time(1s, 10s);
  faults.disks.push_back(slow);
  const auto die = [&](const std::string& role, Duration at, Duration lasting) {
    CrashFault crash;
    crash.process = targets.process_at(slow.where, role, dice);
    crash.at = targets.within(at, lasting, dice);
    crash.restart_after = dice.time(10ms, 5s);
    faults.crashes.push_back(crash);
  };
  for (std::uint64_t i = dice.count(1, 3); i > 0; --i) die("joiner", slow.at, slow.duration);
  for (std::uint64_t i = dice.count(0, 4); i > 0; --i) {
    die(dice.one_of<std::string>({"verifier", "verifier", "auditor"}), slow.at, 100s);
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
  Dice classes(seed, Part::fault_classes);
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
    Dice dice(seed, Part::faults, i);
    dice.of(enabled)(config.faults, targets, dice);
  }
  draw_disks(config, targets, seed);
  draw_log_truncations(config, targets, seed);
}

void add_fault(Config& config, std::uint64_t world_seed, Dice& dice) {
  const Targets targets(config, world_seed);
  if (dice.chance(0.15)) return draw_disk(config, targets, dice);
  std::vector<Draw> possible;
  for (const FaultClass& each : kClasses) {
    if (is_possible(each, config)) possible.push_back(each.draw);
  }
  if (!config.registry_only()) possible.push_back(draw_log_truncation);
  dice.of(possible)(config.faults, targets, dice);
}

}  // namespace photonsim::scenarios::swarm
