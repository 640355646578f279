#include "scenarios/swarm/swarm_contract.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "scenarios/language/config_names.h"
#include "scenarios/swarm/dice.h"

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
    clock.kind = ClockMishap::kOffset;
    clock.by = 1s * static_cast<std::int64_t>(dice.count(24, 60));
    clock.at = 1s * static_cast<std::int64_t>(dice.count(1, 20));
  } else {
    clock.kind = ClockMishap::kDrift;
    clock.rate = 0.4;
    clock.at = 0s;
  }
  clock.duration = *c.run.duration;
  c.faults.clocks.push_back(clock);
}

// More replicas of one group than it can do without lose their disks before the first of them is
// back, so that none of the new disks can be admitted: whom the others would have to ask is gone
// (core_impl/paxos/generations.h). The ids of that shard are lost, and nobody invents an answer:
// clicks that come later never end. Each shard gets some of them.
void lose_majority(Config& c, Dice& dice) {
  c.registry.sharding = Sharding::kFixed;
  c.registry.routing = Routing{};
  const std::uint64_t replicas = c.registry.replicas.size();
  const std::uint64_t lost = dice.count(replicas / 2 + 1, replicas);
  const std::uint64_t shard = dice.count(0, c.registry.shards - 1);
  const Duration gap = dice.chance(0.4) ? 0s : dice.time(1ms, 2s);
  const Duration last = gap * static_cast<std::int64_t>(lost - 1);
  Duration at = late_in(c);
  for (const std::string& place : dice.some(c.registry.replicas, lost)) {
    CrashFault crash;
    crash.process = fmt::format("registry/{}@{}", shard, place);
    crash.at = at;
    crash.restart_after = last + dice.time(10ms, 5s);
    crash.lose_disk = true;
    c.faults.crashes.push_back(crash);
    at += gap;
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
    c.faults.output_losses.push_back(loss);
  }
}

}  // namespace

void draw_contract(Config& config, std::uint64_t seed) {
  Dice dice(seed, Part::contract);
  keep_flowing(config);
  config.faults.inert = InertFaults::kAllow;
  switch (seed % 3) {
    case 0:
      config.scenario.description = "The clock bound is broken in the window of a change of shards";
      return break_clock_bound(config, dice);
    case 1:
      config.scenario.description = "A group loses the disks of a majority";
      return lose_majority(config, dice);
    default:
      config.scenario.description = "Cells show joined records again that they had lost";
      return return_output(config, dice);
  }
}

}  // namespace photonsim::scenarios::swarm
