#include "campaigns/swarm/swarm_extremes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "campaigns/swarm/dice.h"
#include "campaigns/swarm/swarm_world.h"
#include "scenarios/language/config_names.h"

namespace photonsim::scenarios::swarm {
namespace {

using Knob = void (*)(Config& c, Dice& dice);

constexpr std::array kRegistryKnobs{
    Knob([](Config& c, Dice&) { c.registry.max_batch_operations = 1; }),
    Knob([](Config& c, Dice&) { c.registry.max_batch_bytes = 1024; }),
    Knob([](Config& c, Dice& dice) { c.registry.max_queue = dice.count(1, 4); }),
    Knob([](Config& c, Dice&) { c.registry.max_bundle = 1; }),
    Knob([](Config& c, Dice&) { c.registry.pipeline_depth = 64; }),
    Knob([](Config& c, Dice&) { c.registry.gc_batch = 1; }),
    Knob([](Config& c, Dice&) {
      c.registry.gc_slice = std::max<Duration>(c.registry.gc_age / 1000, 1ms);
    }),
    Knob([](Config& c, Dice&) { c.registry.boundary_period = 100ms; }),
    Knob([](Config& c, Dice&) { c.registry.gc_scan_period = 50ms; }),
    Knob([](Config& c, Dice& dice) { c.registry.snapshot_min_bytes = dice.count(0, 1); }),
    Knob([](Config& c, Dice&) { c.registry.snapshot_factor = 0; }),
    Knob([](Config& c, Dice& dice) { c.registry.snapshot_chunk_bytes = dice.size(16, 256); }),
    Knob([](Config& c, Dice& dice) { c.registry.segment_bytes = dice.size(1, 4096); }),
    Knob([](Config& c, Dice&) { c.registry.catch_up_slots = 1; }),
    Knob([](Config& c, Dice& dice) { c.registry.catch_up_bytes = dice.size(1, 1000); }),
    Knob([](Config& c, Dice&) { c.registry.lease = 2 * c.registry.heartbeat; }),
    Knob([](Config& c, Dice&) { c.registry.election_timeout = c.registry.lease + 1ms; }),
    Knob([](Config& c, Dice&) { c.registry.clock_drift_bound = 0.05; }),
    Knob([](Config& c, Dice& dice) { c.registry.master_return_after = dice.time(1ms, 1s); }),
    Knob([](Config& c, Dice&) { c.registry.routing.retry_delay = 10ms; }),
    Knob([](Config& c, Dice&) { c.registry.routing.retire_period = 200ms; }),
    Knob([](Config& c, Dice&) { c.service.registry_operation = 5ms; }),
};

constexpr std::array kDispatcherKnobs{
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.scan_period = dice.one_of<Duration>({20ms, 10s});
    }),
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.scan_jitter = dice.one_of({0.0, 0.9});
    }),
    Knob([](Config& c, Dice&) { c.dispatcher.backoff_initial = 50ms; }),
    Knob([](Config& c, Dice&) { c.dispatcher.backoff_initial = c.dispatcher.backoff_cap; }),
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.backoff_factor = dice.one_of({1.2, 10.0});
    }),
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.backoff_jitter = dice.one_of({0.0, 0.9});
    }),
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.unjoinable_attempts = dice.one_of<std::uint64_t>({0, 1, 30});
    }),
    Knob([](Config& c, Dice& dice) { c.dispatcher.max_outstanding_lookups = dice.count(1, 3); }),
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.max_outstanding_sends = std::max(dice.count(1, 3), c.dispatcher.group);
    }),
    Knob([](Config& c, Dice& dice) { c.dispatcher.max_reads = dice.count(1, 2); }),
    Knob([](Config& c, Dice& dice) { c.dispatcher.read_chunk = dice.size(32, 512); }),
    Knob([](Config& c, Dice& dice) { c.dispatcher.stalled_after = dice.time(20ms, 5s); }),
    Knob([](Config& c, Dice& dice) { c.dispatcher.journal_slack = dice.size(1, 4096); }),
    Knob([](Config& c, Dice&) { c.dispatcher.state_save_period = 50ms; }),
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.partitions = c.dispatcher.workers + dice.count(0, 5);
    }),
    Knob([](Config& c, Dice& dice) {
      c.dispatcher.lookup_timeout = dice.one_of<Duration>({500ms, 20s});
    }),
    Knob([](Config& c, Dice&) { c.service.dispatcher_step = 5ms; }),
};

constexpr std::array kJoinerKnobs{
    Knob([](Config& c, Dice& dice) {
      c.joiner.max_in_flight = std::max(dice.count(1, 3), c.dispatcher.group);
    }),
    Knob([](Config& c, Dice&) { c.joiner.max_outstanding_registry = 1; }),
    Knob([](Config& c, Dice&) { c.joiner.max_outstanding_per_shard = 1; }),
    Knob([](Config& c, Dice&) { c.joiner.max_window = 1; }),
    Knob([](Config& c, Dice& dice) {
      c.joiner.registry_timeout = dice.one_of<Duration>({200ms, 20s});
    }),
    Knob([](Config& c, Dice&) { c.joiner.event_store_timeout = 20s; }),
    Knob([](Config& c, Dice&) { c.service.joiner_step = 10ms; }),
    Knob([](Config& c, Dice& dice) { c.event_store.cache_bytes = dice.size(1, 2000); }),
    Knob([](Config& c, Dice&) { c.event_store.cache_nodes = 8; }),
    Knob([](Config& c, Dice&) { c.event_store.map_interval = 10ms; }),
    Knob([](Config& c, Dice& dice) { c.event_store.map_bytes = dice.size(1, 100); }),
    Knob([](Config& c, Dice& dice) {
      c.event_store.reader_poll = dice.one_of<Duration>({50ms, 5s});
    }),
    Knob([](Config& c, Dice& dice) { c.event_store.reader_chunk = dice.size(32, 512); }),
    Knob([](Config& c, Dice& dice) { c.event_store.reader_backlog = dice.size(1, 50); }),
    Knob([](Config& c, Dice& dice) { c.event_store.stalled_after = dice.time(20ms, 5s); }),
    Knob([](Config& c, Dice& dice) {
      c.event_store.seek_cost = dice.one_of<Duration>({0s, 100ms});
    }),
    Knob([](Config& c, Dice&) { c.event_store.log_concurrency = 1; }),
    Knob([](Config& c, Dice&) { c.service.cache_lookup = 5ms; }),
    Knob([](Config& c, Dice&) { c.service.log_lookup = 50ms; }),
};

constexpr std::array kVerificationKnobs{
    Knob([](Config& c, Dice&) { c.verification.grace = 1s; }),
    Knob([](Config& c, Dice& dice) {
      c.verification.unregistered_after = c.dispatcher.unjoinable_age + dice.time(1s, 30s);
    }),
    Knob([](Config& c, Dice&) { c.verification.recheck_initial = 200ms; }),
    Knob([](Config& c, Dice&) { c.verification.scan_period = 100ms; }),
    Knob([](Config& c, Dice&) { c.verification.answer_timeout = 200ms; }),
    Knob([](Config& c, Dice& dice) { c.verification.memory = dice.time(1s, 2min); }),
};

constexpr std::array kSurroundingsKnobs{
    Knob([](Config& c, Dice& dice) {
      c.shipping.chunk = dice.one_of<Duration>({20ms, 10s});
    }),
    Knob([](Config& c, Dice&) { c.shipping.common_mean = 10s; }),
    Knob([](Config& c, Dice&) { c.shipping.near_far_gap = 10s; }),
    Knob([](Config& c, Dice&) { c.clocks.truetime_uncertainty = 200ms; }),
    Knob([](Config& c, Dice& dice) {
      c.disk.fsync_median = dice.time(20ms, 60ms);
      c.disk.fsync_p99 = 10 * c.disk.fsync_median;
    }),
    Knob([](Config& c, Dice&) {
      c.disk.read_median = 30ms;
      c.disk.read_p99 = 300ms;
    }),
    Knob([](Config& c, Dice& dice) { c.disk.write_rate = dice.size(10'000, 1'000'000); }),
    Knob([](Config& c, Dice&) {
      c.cell.append_median = 80ms;
      c.cell.append_p99 = 500ms;
    }),
    Knob([](Config& c, Dice&) {
      c.cell.read_median = 60ms;
      c.cell.read_p99 = 300ms;
    }),
    Knob([](Config& c, Dice&) { c.cell.list_latency = 200ms; }),
};

template <std::size_t kCount>
void push(const std::array<Knob, kCount>& knobs, double share, Config& config, Dice& dice) {
  for (const Knob& knob : knobs) {
    if (dice.chance(share)) knob(config, dice);
  }
}

void push_pipelines(Config& config, double share, Dice& dice) {
  push(kDispatcherKnobs, share, config, dice);
  push(kJoinerKnobs, share, config, dice);
  if (config.verification.enabled) {
    push(kVerificationKnobs, share, config, dice);
  } else if (config.scenario.tier == Tier::kOver) {
    // Without tokens a lost answer costs a click.
    config.joiner.tokens = !dice.chance(0.2);
  }
}

}  // namespace

void push_to_extremes(Config& config, std::uint64_t seed) {
  Dice dice(seed, Part::extremes);
  config.run.shuffle_ties = dice.chance(0.5);
  const double share = dice.one_of({0.0, 0.0, 0.03, 0.1, 0.1, 0.3});
  push(kRegistryKnobs, share, config, dice);
  push(kSurroundingsKnobs, share, config, dice);
  if (!config.registry_only()) push_pipelines(config, share, dice);
}

}  // namespace photonsim::scenarios::swarm
