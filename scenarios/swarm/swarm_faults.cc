#include "scenarios/swarm/swarm_faults.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/language/config_names.h"
#include "scenarios/swarm/dice.h"

namespace photonsim::scenarios::swarm {
namespace {

// Whom faults may strike, and when.
class Targets {
 public:
  Targets(const Config& config, std::uint64_t seed) : config_(config) {
    Dice dice(seed, Part::targets);
    const std::vector<std::string> all = datacenter_names(config);
    const std::size_t minority = config.registry.replicas.size() / 2;
    const bool restrained = config.scenario.tier == Tier::kWithin;
    weak_ = dice.some(all, restrained ? minority : all.size());
    fragile_ = dice.some(config.registry.replicas, minority);
  }

  // A datacenter that may fail as a whole.
  std::string place(Dice& dice) const { return dice.of(weak_); }
  std::vector<std::string> places(Dice& dice) const {
    return dice.some(weak_, dice.count(1, weak_.size()));
  }
  std::vector<std::string> others(const std::vector<std::string>& places) const {
    std::vector<std::string> rest;
    for (const std::string& each : datacenter_names(config_)) {
      if (std::ranges::find(places, each) == places.end()) rest.push_back(each);
    }
    return rest;
  }
  std::string pipeline(Dice& dice) const { return dice.of(config_.topology.pipelines); }

  // Of a registry's shard; of those that may lose their disk.
  std::string replica(Dice& dice) const { return replica_at(dice, config_.registry.replicas); }
  std::string fragile_replica(Dice& dice) const { return replica_at(dice, fragile_); }
  bool has_fragile() const { return !fragile_.empty(); }

  std::string process(Dice& dice) const {
    if (dice.chance(0.35)) return replica(dice);
    return in_pipeline(dice, dice.of(roles()));
  }
  // "joiner", "us-east1/joiner", "registry/2", a datacenter, ...
  std::string party(Dice& dice) const {
    if (dice.chance(0.3)) return dice.of(datacenter_names(config_));
    if (dice.chance(0.4)) return fmt::format("registry/{}", dice.count(0, shards() - 1));
    if (dice.chance(0.2)) return process(dice);
    if (dice.chance(0.3)) return "registry";
    return dice.of(roles());
  }

  std::string joiner(Dice& dice) const { return in_pipeline(dice, "joiner"); }
  std::string cache(Dice& dice) const { return in_pipeline(dice, "cache"); }
  // While something lasts, and clicks are generated.
  Duration within(Duration at, Duration lasting, Dice& dice) const {
    const auto steps = static_cast<std::uint64_t>(lasting / 10ms);
    const Duration last = *config_.run.duration - 1ms;
    return std::min<Duration>(at + 10ms * static_cast<std::int64_t>(dice.count(0, steps)), last);
  }
  // Around a change of the number of shards, if there is one: else it is like any other time.
  Duration about_a_reshard(Dice& dice) const {
    const auto& reshards = config_.operations.reshards;
    if (reshards.empty() || dice.chance(0.2)) return when(dice);
    const Duration at = dice.of(reshards).at;
    return std::max<Duration>(at - 100ms * static_cast<std::int64_t>(dice.count(0, 30)), 0s);
  }
  // A process that starts anew by what is stored there: a replica itself, or one beside a cell.
  std::string reads_disk_of(const std::string& where, Dice& dice) const {
    if (!has_datacenter(config_, where)) return where;
    return process_at(where, dice.of(roles()), dice);
  }
  std::string process_at(const std::string& place, const std::string& role, Dice& dice) const {
    return fmt::format("{}/{}/{}", place, role, dice.count(0, count_of(role) - 1));
  }
  bool has_logs() const { return !config_.registry_only(); }
  // What is left of epsilon for what is done to a clock; and for how long it may drift on.
  Duration clock_room() const {
    const Clocks& clocks = config_.clocks;
    const double wander = clocks.drift * static_cast<double>(clocks.sync_period.count());
    return clocks.epsilon - clocks.sync_error - Duration(static_cast<std::int64_t>(wander) + 10);
  }
  Duration longest_outage() const {
    return Duration(static_cast<std::int64_t>(static_cast<double>(clock_room().count()) /
                                              config_.clocks.drift));
  }

  // Begins while clicks are generated, is over soon after.
  Duration when(Dice& dice) const {
    const Duration end = *config_.run.duration;
    const auto steps = static_cast<std::uint64_t>(end / 100ms);
    return 100ms * static_cast<std::int64_t>(dice.count(1, std::max<std::uint64_t>(steps - 5, 1)));
  }

 private:
  std::uint64_t shards() const { return most_shards(config_); }
  std::string replica_at(Dice& dice, const std::vector<std::string>& places) const {
    const bool dynamic = config_.registry.sharding == Sharding::kDynamic;
    if (dynamic && dice.chance(0.3)) return fmt::format("sharding/0@{}", dice.of(places));
    return fmt::format("registry/{}@{}", dice.count(0, shards() - 1), dice.of(places));
  }
  std::vector<std::string> roles() const {
    if (config_.registry_only()) return {"client", "incarnations"};
    std::vector<std::string> all{"joiner", "joiner",      "dispatcher",  "cache",
                                 "reader", "event_store", "incarnations"};
    if (config_.verification.enabled) all.insert(all.end(), {"verifier", "auditor"});
    if (config_.joiner.output_copies) all.emplace_back("mirror");
    return all;
  }
  std::uint64_t count_of(const std::string& role) const {
    if (role == "joiner") return config_.joiner.count;
    if (role == "dispatcher") return config_.dispatcher.workers;
    if (role == "cache") return config_.event_store.cache_nodes;
    if (role == "verifier") return config_.verification.verifiers;
    if (role == "client") return config_.workload.registry.clients;
    return 1;
  }
  std::string in_pipeline(Dice& dice, const std::string& role) const {
    return process_at(pipeline(dice), role, dice);
  }

  const Config& config_;
  std::vector<std::string> weak_;     // datacenters that may fail, together
  std::vector<std::string> fragile_;  // whose replicas may lose their disk
};

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
  // Joiners have something to bring to its end.
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
  // What clients of a registry alone ask for meanwhile, all of it waits.
  late.duration = dice.time(200ms, targets.has_logs() ? 40s : 5s);
  faults.late_configurations.push_back(late);
}

// Somebody who keeps something there dies, once or more, while the storage is in trouble.
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

void draw_outage(Faults& faults, const Targets& targets, Dice& dice) {
  OutageFault outage;
  outage.component =
      dice.one_of({OutageComponent::kAll, OutageComponent::kAll, OutageComponent::kRegistry,
                   OutageComponent::kPipeline, OutageComponent::kCell, OutageComponent::kLogs});
  const bool registry =
      outage.component == OutageComponent::kAll || outage.component == OutageComponent::kRegistry;
  outage.datacenter = registry ? targets.place(dice) : targets.pipeline(dice);
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
  } else if (partition.from.size() > 1 && dice.chance(0.5)) {
    // Each of them alone. Those that are not named reach all.
    partition.direction = PartitionDirection::kApart;
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
  link.kind = dice.one_of({LinkMishap::kLoss, LinkMishap::kReplyLoss, LinkMishap::kDuplication,
                           LinkMishap::kLateDuplication, LinkMishap::kReordering,
                           LinkMishap::kDelay, LinkMishap::kClog, LinkMishap::kSwizzle});
  link.from = {dice.chance(0.3) ? "any" : targets.party(dice)};
  link.to = {dice.chance(0.4) ? "any" : targets.party(dice)};
  link.share = dice.chance(0.3) ? 1.0 : dice.share(0.01, 1.0);
  link.at = targets.when(dice);
  link.duration = dice.time(200ms, 20s);
  const bool has_delay = link.kind == LinkMishap::kLateDuplication ||
                         link.kind == LinkMishap::kReordering || link.kind == LinkMishap::kDelay;
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

void draw_output_loss(Faults& faults, const Targets& targets, Dice& dice) {
  faults.output_losses.push_back({targets.pipeline(dice), targets.when(dice), dice.size(1, 20)});
}

void draw_truetime_outage(Faults& faults, const Targets& targets, Dice& dice) {
  faults.truetime_outages.push_back({dice.one_of({LogKind::kQueries, LogKind::kClicks}), "any",
                                     targets.when(dice), dice.time(1s, 60s)});
}

// Wrong bytes do lasting harm: only replicas that their groups can do without have them. Syncs that
// are lost nobody can withstand: they are not drawn.
DiskMishap disk_mishap(const Targets& targets, Dice& dice) {
  const bool lasting = targets.has_fragile() && dice.chance(0.25);
  if (lasting) return dice.one_of({DiskMishap::kBitRot, DiskMishap::kMisdirectedWrite});
  return dice.one_of({DiskMishap::kWriteError, DiskMishap::kFull, DiskMishap::kSlow,
                      DiskMishap::kTornWrite, DiskMishap::kTornWrite});
}

// Of a cell there is one: what is wrong in it nobody else has. Whoever verifies the output believes
// what he reads there.
bool strikes_cell(const Config& config, bool lasting, Dice& dice) {
  const bool bearable = config.scenario.tier == Tier::kOver && !config.verification.enabled;
  if (lasting && !bearable) return false;
  return dice.chance(0.4);
}

void draw_disk(Config& config, const Targets& targets, Dice& dice) {
  DiskFault disk;
  disk.kind = disk_mishap(targets, dice);
  const bool rots = disk.kind == DiskMishap::kBitRot;
  const bool lasting = rots || disk.kind == DiskMishap::kMisdirectedWrite;
  const bool cell = strikes_cell(config, lasting, dice);
  if (cell) {
    disk.where = targets.pipeline(dice);
  } else {
    disk.where = lasting ? targets.fragile_replica(dice) : targets.replica(dice);
  }
  disk.at = targets.when(dice);
  if (!rots) disk.duration = dice.time(100ms, 20s);
  const bool requests = !rots && disk.kind != DiskMishap::kTornWrite;
  if (requests && dice.chance(0.5)) disk.share = dice.share(0.01, 1.0);
  if (disk.kind == DiskMishap::kSlow) disk.factor = static_cast<double>(dice.size(2, 200));
  config.faults.disks.push_back(disk);
}

// In half of the worlds. Wrong bytes are found by a restart, so whoever has them may be crashed.
void draw_disks(Config& config, const Targets& targets, std::uint64_t seed) {
  Dice dice(seed, Part::disk_faults);
  if (!dice.chance(0.5)) return;
  for (std::uint64_t i = dice.size(1, 8); i > 0; --i) {
    draw_disk(config, targets, dice);
    const DiskFault& drawn = config.faults.disks.back();
    const bool wrong =
        drawn.kind == DiskMishap::kBitRot || drawn.kind == DiskMishap::kMisdirectedWrite;
    if (!wrong && drawn.kind != DiskMishap::kTornWrite && dice.chance(0.4)) {
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

// Inside the bound: what sync_error and drift leave of epsilon.
void draw_clock(Faults& faults, const Targets& targets, Dice& dice) {
  ClockFault clock;
  clock.kind = dice.one_of({ClockMishap::kOffset, ClockMishap::kDrift, ClockMishap::kStep,
                            ClockMishap::kFreeze, ClockMishap::kTrueTimeOutage});
  // Servers that write logs look at their clocks all the time.
  const bool freeze = clock.kind == ClockMishap::kFreeze;
  const bool of_process = dice.chance(freeze ? 0.2 : 0.6) || !targets.has_logs();
  if (of_process) {
    clock.process = targets.process(dice);
  } else {
    clock.log = dice.one_of({LogKind::kQueries, LogKind::kClicks});
  }
  if (clock.kind == ClockMishap::kTrueTimeOutage && !of_process) clock.kind = ClockMishap::kFreeze;
  clock.direction = dice.one_of({ClockDirection::kForward, ClockDirection::kBack});
  clock.at = targets.when(dice);
  const Duration room = targets.clock_room();
  if (room < 100us) return;
  const Duration carried = dice.time(50us, room);
  switch (clock.kind) {
    case ClockMishap::kStep:
      clock.by = carried;
      break;
    case ClockMishap::kOffset:
      clock.by = carried;
      clock.duration = dice.time(200ms, 40s);
      break;
    case ClockMishap::kDrift:
      clock.duration = dice.time(1s, 40s);
      clock.rate = dice.share(1e-6, std::min(0.3, static_cast<double>(room.count()) /
                                                      static_cast<double>(clock.duration.count())));
      break;
    case ClockMishap::kFreeze:
      // Short as it must be, somebody has to look at the clock meanwhile.
      clock.duration = dice.time(std::max<Duration>(room / 4, 50us), room);
      break;
    default:  // an outage; drift x duration must fit as well
      clock.duration = std::min<Duration>(dice.time(1s, 60s), targets.longest_outage());
      break;
  }
  faults.clocks.push_back(clock);
}

// Joiners die between registration and output, of which there is much while their cell is slow; and
// somebody who is to find out (SPEC F-04..F-12) dies as well.
void draw_lost_output(Faults& faults, const Targets& targets, Dice& dice) {
  DiskFault slow;
  slow.where = targets.pipeline(dice);
  slow.kind = DiskMishap::kSlow;
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

// What a world must have for a class of faults to mean something.
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
  if (classes.chance(0.02)) return;  // once in a while nothing goes wrong
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
}

void add_fault(Config& config, std::uint64_t world_seed, Dice& dice) {
  const Targets targets(config, world_seed);
  if (dice.chance(0.15)) return draw_disk(config, targets, dice);
  std::vector<Draw> possible;
  for (const FaultClass& each : kClasses) {
    if (is_possible(each, config)) possible.push_back(each.draw);
  }
  dice.of(possible)(config.faults, targets, dice);
}

namespace {

Duration moment_in(const Config& config, Dice& dice) {
  const auto steps = static_cast<std::uint64_t>(*config.run.duration / 100ms);
  return 100ms * static_cast<std::int64_t>(dice.count(0, steps - 5));
}

// Some, at any time; or many in a row, that are in each other's way.
void draw_reshards(Config& config, Dice& dice) {
  auto& reshards = config.operations.reshards;
  if (dice.chance(0.7)) {
    for (std::uint64_t i = dice.count(0, 3); i > 0; --i) {
      reshards.push_back(
          {moment_in(config, dice), dice.count(1, 4), dice.time(100ms, 10s), ReshardEnd::kAny});
    }
    return;
  }
  Duration at = moment_in(config, dice) / 2;
  for (std::uint64_t i = dice.count(3, 8); i > 0 && at < *config.run.duration; --i) {
    reshards.push_back({at, dice.count(1, 4), dice.time(100ms, 10s), ReshardEnd::kAny});
    at += dice.chance(0.3) ? 0s : dice.time(10ms, 10s);
  }
}

}  // namespace

void draw_operations(Config& config, std::uint64_t seed) {
  Dice dice(seed, Part::operations);
  const auto when = [&] { return moment_in(config, dice); };
  const bool dynamic = config.registry.sharding == Sharding::kDynamic;
  if (dynamic) {
    draw_reshards(config, dice);
  }
  const auto group = [&] {
    if (dynamic && dice.chance(0.3)) return std::string("sharding/0");
    return fmt::format("registry/{}", dice.count(0, config.registry.shards - 1));
  };
  if (dice.chance(0.3)) {
    for (std::uint64_t i = dice.count(1, 4); i > 0; --i) {
      config.operations.kills.push_back({group(), when(), dice.time(10ms, 10s)});
    }
  }
  if (!config.registry_only() && dice.chance(0.12)) {
    for (std::uint64_t i = dice.count(1, 3); i > 0; --i) {
      const Duration at = dice.chance(0.1) ? Duration(0) : when();
      config.operations.forgets.push_back({dice.of(config.topology.pipelines), at});
    }
  }
  if (dice.chance(0.25)) {
    for (std::uint64_t i = dice.size(1, 6); i > 0; --i) {
      config.operations.moves.push_back(
          {group(), dice.of(config.registry.replicas), when(), MoveEnd::kAny});
    }
  }
}

void draw_core(Config& config, std::uint64_t seed) {
  Dice dice(seed, Part::core);
  if (config.registry_only() || !dice.chance(0.5)) return;
  // A majority whose disks are what they always were, and a pipeline.
  std::vector<std::string> sound = config.registry.replicas;
  for (const CrashFault& crash : config.faults.crashes) {
    if (!crash.lose_disk) continue;
    std::erase_if(sound,
                  [&](const std::string& name) { return datacenter_of(crash.process) == name; });
  }
  for (const DiskFault& disk : config.faults.disks) {
    const bool wrong =
        disk.kind == DiskMishap::kBitRot || disk.kind == DiskMishap::kMisdirectedWrite;
    if (!wrong) continue;
    std::erase_if(sound,
                  [&](const std::string& name) { return datacenter_of(disk.where) == name; });
  }
  const std::size_t majority = config.registry.replicas.size() / 2 + 1;
  if (sound.size() < majority) return;
  std::vector<std::string> core = dice.some(sound, dice.count(majority, sound.size()));
  const std::string pipeline = dice.of(config.topology.pipelines);
  if (std::ranges::find(core, pipeline) == core.end()) core.push_back(pipeline);
  if (core.size() == config.topology.datacenters.size()) return;
  std::ranges::sort(core);
  config.run.core = std::move(core);
  config.run.rest = dice.one_of({RestOfCore::kDown, RestOfCore::kCutOff, RestOfCore::kMute});
}

}  // namespace photonsim::scenarios::swarm
