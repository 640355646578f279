#include "campaigns/swarm/swarm_contract.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "campaigns/swarm/dice.h"
#include "scenarios/language/config_names.h"

namespace photonsim::scenarios::swarm {
namespace {

// Enough clicks that some stand at every point where damage is to be done, and nothing in the
// pipelines that holds them up for long.
void keep_flowing(Config& c) {
  const auto seconds = static_cast<std::uint64_t>(*c.run.duration / 1s);
  c.workload.synthetic.clicks = std::max(c.workload.synthetic.clicks, 3 * seconds);
  c.workload.synthetic.fast_fraction = 1.0;
  c.workload.synthetic.disorder = 0s;
  c.registry.gc_age = 72h;
  c.registry.max_queue = Registry{}.max_queue;
  c.registry.reject_future = false;
  c.joiner.max_in_flight = Joiner{}.max_in_flight;
  c.joiner.max_outstanding_registry = Joiner{}.max_outstanding_registry;
  c.joiner.max_outstanding_per_shard = Joiner{}.max_outstanding_per_shard;
  c.joiner.max_window = Joiner{}.max_window;
  c.joiner.adapter = AdapterKind::kCombine;
  c.joiner.skip_modulo = Joiner{}.skip_modulo;
  c.joiner.output_copies = false;
  c.dispatcher.max_outstanding_lookups = Dispatcher{}.max_outstanding_lookups;
  c.dispatcher.max_outstanding_sends = Dispatcher{}.max_outstanding_sends;
  c.dispatcher.group = Dispatcher{}.group;
  c.dispatcher.group_wait = Dispatcher{}.group_wait;
  c.dispatcher.scan_period = std::min<Duration>(c.dispatcher.scan_period, 500ms);
  c.shipping.common_mean = std::min<Duration>(c.shipping.common_mean, 500ms);
  c.shipping.near_far_gap = std::min<Duration>(c.shipping.near_far_gap, 500ms);
  c.shipping.query_late_fraction = 0;
}

// After two thirds of the run.
Duration late_in(const Config& c) { return *c.run.duration / 3 * 2 / 1s * 1s; }

// The number of shards grows from a time t2 on that lies about 7 s ahead, S and the age of the
// clients' histories included. The clocks of all servers of clicks are at least 24 s ahead by then:
// ids of the last 12 s before the change is asked for bear stamps behind t2, and clients that go by
// the age of their history alone (rule 1 of B-60c, which rests on S) have registered them under the
// old number. Three clicks come in a second, so about thirty ids belong to another shard than the
// one that has them.
void break_clock_bound(Config& c, Dice& dice) {
  c.clocks.violate_clock_bound = true;
  c.registry.sharding = Sharding::kDynamic;
  c.registry.shards = dice.count(1, 2);
  c.registry.routing = Routing{};
  c.registry.routing.freshness = true;
  c.registry.routing.read_after_stamp = false;
  c.registry.routing.max_age = 1s;
  const Duration change = late_in(c);
  const Duration starts_in = c.clocks.skew_bound() + c.registry.routing.max_age + 4s;
  c.operations.reshards.push_back({change, dice.count(3, 5), starts_in, ReshardEnd::kDone});
  ClockFault clock;
  clock.log = LogKind::kClicks;
  if (dice.chance(0.5)) {
    clock.kind = ClockFaultKind::kOffset;
    clock.by = 1s * static_cast<std::int64_t>(dice.count(24, 60));
    clock.at = 1s * static_cast<std::int64_t>(dice.count(1, 20));
  } else {
    clock.kind = ClockFaultKind::kDrift;
    clock.rate = 0.4;
    clock.at = 0s;
  }
  clock.duration = *c.run.duration;
  c.faults.of<ClockFault>().push_back(clock);
}

// The number of shards never changes, so that each of them gets clicks until the end.
void fix_shards(Config& c) {
  c.registry.sharding = Sharding::kFixed;
  c.registry.routing = Routing{};
}

// More replicas of one group than it can do without lose their disks before the first of them is
// back. Gives their places.
std::vector<std::string> lose_majority(Config& c, std::uint64_t shard, Dice& dice) {
  const std::uint64_t replicas = c.registry.replicas.size();
  const std::uint64_t lost = dice.count(replicas / 2 + 1, replicas);
  const Duration gap = dice.chance(0.4) ? 0s : dice.time(1ms, 2s);
  const Duration last = gap * static_cast<std::int64_t>(lost - 1);
  Duration at = late_in(c);
  const std::vector<std::string> places = dice.some(c.registry.replicas, lost);
  for (const std::string& place : places) {
    CrashFault crash;
    crash.process = fmt::format("registry/{}@{}", shard, place);
    crash.at = at;
    crash.restart_after = last + dice.time(10ms, 5s);
    crash.lose_disk = true;
    c.faults.of<CrashFault>().push_back(crash);
    at += gap;
  }
  return places;
}

// None of the new disks can be admitted: whom the others would have to ask is gone
// (core_impl/paxos/generations.h). The ids of that shard are lost, and nobody invents an answer:
// clicks that come later never end (J-P0), and that is all that may be seen. A group that went on
// would be the worse one, so safety is demanded as well. Each shard gets some of the clicks.
void silence_group(Config& c, Dice& dice) {
  fix_shards(c);
  lose_majority(c, dice.count(0, c.registry.shards - 1), dice);
}

// The same, and whoever replaces the disks sets them up as for a new group. They are a majority
// that remembers nothing, and its master fills slots anew in which other values were chosen (J-S6).
// The others are down until then: one of them might have known all that was chosen, and gone on.
void found_group_anew(Config& c, Dice& dice) {
  fix_shards(c);
  const std::uint64_t shard = dice.count(0, c.registry.shards - 1);
  const std::vector<std::string> lost = lose_majority(c, shard, dice);
  for (CrashFault& each : c.faults.of<CrashFault>()) each.as_new = true;
  const Duration at = c.faults.of<CrashFault>().front().at;
  for (const std::string& place : c.registry.replicas) {
    if (std::ranges::find(lost, place) != lost.end()) continue;
    CrashFault crash;
    crash.process = fmt::format("registry/{}@{}", shard, place);
    crash.at = at;
    crash.restart_after = *c.run.duration - at + 1s;
    c.faults.of<CrashFault>().push_back(crash);
  }
}

// The disks of all replicas of a group say that bytes are stored which are not, and then all their
// hosts crash at once. What was chosen since is forgotten, by everybody, and other values are
// chosen in its place (J-S6).
void lie_about_syncs(Config& c, Dice& dice) {
  fix_shards(c);
  const std::uint64_t shard = dice.count(0, c.registry.shards - 1);
  const Duration crashed = late_in(c);
  const Duration lying = dice.time(10s, 20s);
  for (const std::string& place : c.registry.replicas) {
    const std::string process = fmt::format("registry/{}@{}", shard, place);
    DiskFault disk;
    disk.where = process;
    disk.kind = DiskFaultKind::kLostSync;
    disk.at = crashed - lying;
    disk.duration = lying + 1s;
    c.faults.of<DiskFault>().push_back(disk);
    CrashFault crash;
    crash.process = process;
    crash.at = crashed;
    crash.restart_after = dice.time(1ms, 3s);
    crash.whole_host = true;
    c.faults.of<CrashFault>().push_back(crash);
  }
}

// TrueTime tells all replicas of a shard that it is later than it is, by far more than any of them
// reckons with. The boundary, which is to lie N behind true time, follows it (J-S8).
void lie_about_time(Config& c, Dice& dice) {
  fix_shards(c);
  c.clocks.violate_clock_bound = true;
  c.registry.boundary_period = dice.time(1s, 4s);
  for (std::uint64_t shard = 0; shard < c.registry.shards; ++shard) {
    for (const std::string& place : c.registry.replicas) {
      ClockFault clock;
      clock.process = fmt::format("registry/{}@{}", shard, place);
      clock.kind = ClockFaultKind::kLyingInterval;
      clock.by = dice.time(60s, 10min);
      clock.at = late_in(c);
      clock.duration = dice.time(15s, 30s);
      c.faults.of<ClockFault>().push_back(clock);
    }
  }
}

// The clock by which the master of each shard measures its lease runs far too slowly, and then the
// other replicas and it hear no more of each other, but its clients do: for two seconds at least it
// answers as master when the others are free to follow somebody else (J-S7). Each click is looked
// up in both pipelines, so some ten look-ups fall into that time.
void slow_leases(Config& c, Dice& dice) {
  fix_shards(c);
  c.clocks.violate_clock_bound = true;
  c.registry.lookup_mode = LookupMode::kBypass;
  c.dispatcher.pre_lookup = true;
  c.registry.master_placement = MasterPlacement::kPinned;
  c.registry.pinned_datacenter = dice.of(c.registry.replicas);
  c.registry.master_return_after = 10s;  // whoever was elected first
  c.registry.lease = dice.time(5s, 8s);
  c.registry.election_timeout = c.registry.lease + 500ms;
  const double rate = dice.share(0.3, 0.4);
  const Duration cut = late_in(c);
  for (std::uint64_t shard = 0; shard < c.registry.shards; ++shard) {
    const std::string master = fmt::format("registry/{}@{}", shard, c.registry.pinned_datacenter);
    ClockFault clock;
    clock.process = master;
    clock.kind = ClockFaultKind::kMonotonicDrift;
    clock.direction = ClockDirection::kBack;
    clock.rate = rate;
    clock.at = cut - dice.time(1s, 10s);
    clock.duration = *c.run.duration - clock.at;
    c.faults.of<ClockFault>().push_back(clock);
    LinkFault alone;
    alone.kind = LinkFaultKind::kLoss;
    alone.from = {master};
    alone.to = {fmt::format("registry/{}", shard)};
    alone.at = cut;
    alone.duration = 2 * c.registry.lease;
    c.faults.of<LinkFault>().push_back(alone);
    std::swap(alone.from, alone.to);
    c.faults.of<LinkFault>().push_back(alone);
  }
}

// What cells have lost they show again. Whoever read the output before has these records, and gets
// them a second time (J-S1). Every cell is struck: one pipeline or another has joined something.
void return_output(Config& c, Dice& dice) {
  for (const std::string& pipeline : c.topology.pipelines) {
    OutputLossFault loss;
    loss.datacenter = pipeline;
    loss.at = late_in(c);
    loss.records = dice.size(1, 100);
    loss.returns_after = dice.time(10ms, 20s);
    c.faults.of<OutputLossFault>().push_back(loss);
  }
}

struct Break {
  std::string_view name;
  std::string_view description;
  std::string_view detected_by;
  void (*draw)(Config& config, Dice& dice);
};

// Each is noticed by the oracle whose rule rests on what is broken, not by what follows from it
// later: that one click or another is joined twice depends on when it comes.
constexpr std::array kBreaks{
    Break{"clock_bound", "The clock bound is broken in the window of a change of shards", "J-S5",
          break_clock_bound},
    Break{"majority_lost", "A group loses the disks of a majority", "J-P0", silence_group},
    Break{"output_returns", "Cells show joined records again that they had lost", "J-S1",
          return_output},
    Break{"majority_forgets", "The lost disks of a majority are set up as for a new group", "J-S6",
          found_group_anew},
    Break{"lost_syncs", "Disks of a group say that bytes are stored which are not", "J-S6",
          lie_about_syncs},
    Break{"lying_truetime", "TrueTime's intervals do not contain true time", "J-S8",
          lie_about_time},
    Break{"slow_lease", "Masters measure their leases with clocks that run too slowly", "J-S7",
          slow_leases}};

}  // namespace

void draw_contract(Config& config, std::uint64_t seed) {
  Dice dice(seed, Part::contract);
  keep_flowing(config);
  config.faults.inert = InertFaults::kAllow;
  const Break& drawn = kBreaks[seed % kBreaks.size()];
  config.scenario.description = drawn.description;
  config.scenario.breaks = drawn.name;
  config.scenario.detected_by = {std::string(drawn.detected_by)};
  drawn.draw(config, dice);
}

}  // namespace photonsim::scenarios::swarm
