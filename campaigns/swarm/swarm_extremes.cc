#include "campaigns/swarm/swarm_extremes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "campaigns/swarm/rng.h"
#include "campaigns/swarm/swarm_shape.h"
#include "scenarios/config/config_names.h"

namespace photonsim::scenarios::swarm {
namespace {

using Knob = void (*)(Config& c, Rng& rng);

constexpr std::array kRegistryKnobs{
    Knob([](Config& c, Rng&) { c.registry.max_batch_operations = 1; }),
    Knob([](Config& c, Rng&) { c.registry.max_batch_bytes = 1024; }),
    Knob([](Config& c, Rng& rng) { c.registry.max_queue = rng.count(1, 4); }),
    Knob([](Config& c, Rng&) { c.registry.max_bundle = 1; }),
    Knob([](Config& c, Rng&) { c.registry.pipeline_depth = 64; }),
    Knob([](Config& c, Rng&) { c.registry.gc_batch = 1; }),
    Knob([](Config& c, Rng&) {
      c.registry.gc_slice = std::max<Duration>(c.registry.gc_age / 1000, 1ms);
    }),
    Knob([](Config& c, Rng&) { c.registry.boundary_period = 100ms; }),
    Knob([](Config& c, Rng&) { c.registry.gc_scan_period = 50ms; }),
    Knob([](Config& c, Rng& rng) { c.registry.snapshot_min_bytes = rng.count(0, 1); }),
    Knob([](Config& c, Rng&) { c.registry.snapshot_factor = 0; }),
    Knob([](Config& c, Rng& rng) { c.registry.snapshot_chunk_bytes = rng.size(16, 256); }),
    Knob([](Config& c, Rng& rng) { c.registry.segment_bytes = rng.size(1, 4096); }),
    Knob([](Config& c, Rng&) { c.registry.catch_up_slots = 1; }),
    Knob([](Config& c, Rng& rng) { c.registry.catch_up_bytes = rng.size(1, 1000); }),
    Knob([](Config& c, Rng&) { c.registry.lease = 2 * c.registry.heartbeat; }),
    Knob([](Config& c, Rng&) { c.registry.election_timeout = c.registry.lease + 1ms; }),
    Knob([](Config& c, Rng&) { c.registry.clock_drift_bound = 0.05; }),
    Knob([](Config& c, Rng& rng) { c.registry.master_return_after = rng.time(1ms, 1s); }),
    Knob([](Config& c, Rng&) { c.registry.routing.retry_delay = 10ms; }),
    Knob([](Config& c, Rng&) { c.registry.routing.retire_period = 200ms; }),
    Knob([](Config& c, Rng&) { c.service.registry_operation = 5ms; }),
};

constexpr std::array kDispatcherKnobs{
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.scan_period = rng.one_of<Duration>({20ms, 10s});
    }),
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.scan_jitter = rng.one_of({0.0, 0.9});
    }),
    Knob([](Config& c, Rng&) { c.dispatcher.backoff_initial = 50ms; }),
    Knob([](Config& c, Rng&) { c.dispatcher.backoff_initial = c.dispatcher.backoff_cap; }),
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.backoff_factor = rng.one_of({1.2, 10.0});
    }),
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.backoff_jitter = rng.one_of({0.0, 0.9});
    }),
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.unjoinable_attempts = rng.one_of<std::uint64_t>({0, 1, 30});
    }),
    Knob([](Config& c, Rng& rng) { c.dispatcher.max_outstanding_lookups = rng.count(1, 3); }),
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.max_outstanding_sends = std::max(rng.count(1, 3), c.dispatcher.group);
    }),
    Knob([](Config& c, Rng& rng) { c.dispatcher.max_reads = rng.count(1, 2); }),
    Knob([](Config& c, Rng& rng) { c.dispatcher.read_chunk = rng.size(32, 512); }),
    Knob([](Config& c, Rng& rng) { c.dispatcher.stalled_after = rng.time(20ms, 5s); }),
    Knob([](Config& c, Rng& rng) { c.dispatcher.journal_slack = rng.size(1, 4096); }),
    Knob([](Config& c, Rng&) { c.dispatcher.state_save_period = 50ms; }),
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.partitions = c.dispatcher.workers + rng.count(0, 5);
    }),
    Knob([](Config& c, Rng& rng) {
      c.dispatcher.lookup_timeout = rng.one_of<Duration>({500ms, 20s});
    }),
    Knob([](Config& c, Rng&) { c.service.dispatcher_step = 5ms; }),
};

constexpr std::array kJoinerKnobs{
    Knob([](Config& c, Rng& rng) {
      c.joiner.max_in_flight = std::max(rng.count(1, 3), c.dispatcher.group);
    }),
    Knob([](Config& c, Rng&) { c.joiner.max_outstanding_registry = 1; }),
    Knob([](Config& c, Rng&) { c.joiner.max_outstanding_per_shard = 1; }),
    Knob([](Config& c, Rng&) { c.joiner.max_window = 1; }),
    Knob([](Config& c, Rng& rng) {
      c.joiner.registry_timeout = rng.one_of<Duration>({200ms, 20s});
    }),
    Knob([](Config& c, Rng&) { c.joiner.event_store_timeout = 20s; }),
    Knob([](Config& c, Rng&) { c.service.joiner_step = 10ms; }),
    Knob([](Config& c, Rng& rng) { c.event_store.cache_bytes = rng.size(1, 2000); }),
    Knob([](Config& c, Rng&) { c.event_store.cache_nodes = 8; }),
    Knob([](Config& c, Rng&) { c.event_store.map_interval = 10ms; }),
    Knob([](Config& c, Rng& rng) { c.event_store.map_bytes = rng.size(1, 100); }),
    Knob([](Config& c, Rng& rng) {
      c.event_store.reader_poll = rng.one_of<Duration>({50ms, 5s});
    }),
    Knob([](Config& c, Rng& rng) { c.event_store.reader_chunk = rng.size(32, 512); }),
    Knob([](Config& c, Rng& rng) { c.event_store.reader_backlog = rng.size(1, 50); }),
    Knob([](Config& c, Rng& rng) { c.event_store.stalled_after = rng.time(20ms, 5s); }),
    Knob([](Config& c, Rng& rng) {
      c.event_store.seek_cost = rng.one_of<Duration>({0s, 100ms});
    }),
    Knob([](Config& c, Rng&) { c.event_store.log_concurrency = 1; }),
    Knob([](Config& c, Rng&) { c.service.cache_lookup = 5ms; }),
    Knob([](Config& c, Rng&) { c.service.log_lookup = 50ms; }),
};

constexpr std::array kVerificationKnobs{
    Knob([](Config& c, Rng&) { c.verification.grace = 1s; }),
    Knob([](Config& c, Rng& rng) {
      c.verification.unregistered_after = c.dispatcher.unjoinable_age + rng.time(1s, 30s);
    }),
    Knob([](Config& c, Rng&) { c.verification.recheck_initial = 200ms; }),
    Knob([](Config& c, Rng&) { c.verification.scan_period = 100ms; }),
    Knob([](Config& c, Rng&) { c.verification.answer_timeout = 200ms; }),
    Knob([](Config& c, Rng& rng) { c.verification.memory = rng.time(1s, 2min); }),
};

constexpr std::array kEnvironmentKnobs{
    Knob([](Config& c, Rng& rng) {
      c.shipping.chunk = rng.one_of<Duration>({20ms, 10s});
    }),
    Knob([](Config& c, Rng&) { c.shipping.common_mean = 10s; }),
    Knob([](Config& c, Rng&) { c.shipping.near_far_gap = 10s; }),
    Knob([](Config& c, Rng&) { c.clocks.truetime_uncertainty = 200ms; }),
    Knob([](Config& c, Rng& rng) {
      c.disk.fsync_median = rng.time(20ms, 60ms);
      c.disk.fsync_p99 = 10 * c.disk.fsync_median;
    }),
    Knob([](Config& c, Rng&) {
      c.disk.read_median = 30ms;
      c.disk.read_p99 = 300ms;
    }),
    Knob([](Config& c, Rng& rng) { c.disk.write_rate = rng.size(10'000, 1'000'000); }),
    Knob([](Config& c, Rng&) {
      c.cell.append_median = 80ms;
      c.cell.append_p99 = 500ms;
    }),
    Knob([](Config& c, Rng&) {
      c.cell.read_median = 60ms;
      c.cell.read_p99 = 300ms;
    }),
    Knob([](Config& c, Rng&) { c.cell.list_latency = 200ms; }),
};

template <std::size_t kCount>
void push(const std::array<Knob, kCount>& knobs, double share, Config& config, Rng& rng) {
  for (const Knob& knob : knobs) {
    if (rng.chance(share)) knob(config, rng);
  }
}

void push_pipelines(Config& config, double share, Rng& rng) {
  push(kDispatcherKnobs, share, config, rng);
  push(kJoinerKnobs, share, config, rng);
  if (config.verification.enabled) {
    push(kVerificationKnobs, share, config, rng);
  } else if (config.scenario.tier == Tier::kOver) {
    // Without tokens a lost answer costs a click.
    config.joiner.tokens = !rng.chance(0.2);
  }
}

}  // namespace

void push_to_extremes(Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::extremes);
  config.run.shuffle_ties = rng.chance(0.5);
  const double share = rng.one_of({0.0, 0.0, 0.03, 0.1, 0.1, 0.3});
  push(kRegistryKnobs, share, config, rng);
  push(kEnvironmentKnobs, share, config, rng);
  if (!config.registry_only()) push_pipelines(config, share, rng);
}

}  // namespace photonsim::scenarios::swarm
