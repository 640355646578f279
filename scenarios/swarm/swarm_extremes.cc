#include "scenarios/swarm/swarm_extremes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "scenarios/language/config_names.h"
#include "scenarios/swarm/dice.h"
#include "scenarios/swarm/swarm_world.h"

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
    // Lost answers then cost clicks, which nothing here tolerates.
    config.joiner.tokens = !dice.chance(0.2);
  }
}

double limited(double factor, double most) {
  return std::max(1.5, std::floor(std::min(factor, most)));
}

double seconds(Duration time) { return static_cast<double>(time.count()) / 1e9; }

std::uint64_t inserts_in(const Config& c, Duration time) {
  const RegistryWorkload& load = c.workload.registry;
  const double alone = load.rate * static_cast<double>(load.contenders);
  const auto clicks = static_cast<double>(c.workload.synthetic.clicks);
  const double rate = c.registry_only() ? alone : clicks / seconds(*c.run.duration);
  return 1 + static_cast<std::uint64_t>(rate * seconds(time));
}

// Whoever gives up asks again, at the same moment as the others if pauses have no jitter: services
// that cannot answer everybody before that answer nobody, for ever.
void answer_all_at_once(Config& c) {
  constexpr std::int64_t kQueriesOfClick = 2;  // at most: AdapterKind::kCombine
  const auto clicks = static_cast<std::int64_t>(c.workload.synthetic.clicks + 1);
  const auto pipelines = static_cast<std::int64_t>(c.topology.pipelines.size() + 1);
  Service& service = c.service;
  const Duration search = c.joiner.event_store_timeout / (kQueriesOfClick * clicks);
  service.log_lookup = std::min(service.log_lookup, search);
  const auto at_once = static_cast<std::int64_t>(
      std::min<std::uint64_t>(c.event_store.log_concurrency, c.workload.synthetic.clicks + 1));
  c.event_store.seek_cost = std::min(c.event_store.seek_cost, at_once * search);
  const Duration patience = std::min(c.joiner.registry_timeout, c.dispatcher.lookup_timeout);
  service.registry_operation =
      std::min(service.registry_operation, patience / (pipelines * clicks));
}

// Of an operation by itself. The mean of a lognormal time lies between its median and this.
Duration usual_commit(const Config& c) {
  return longest_round_trip(c) + c.disk.fsync_median + c.disk.fsync_p99 / 8;
}

// The same of a group that commits little at a time on slow disks: what joiners and dispatchers may
// ask for at the same time is answered within half of their time-outs.
void answer_within_patience(Config& c) {
  const auto pipelines = c.topology.pipelines.size();
  const Duration patience = std::min(c.joiner.registry_timeout, c.dispatcher.lookup_timeout) / 2;
  const auto commits = static_cast<std::uint64_t>(patience / usual_commit(c)) + 1;
  const std::uint64_t at_once =
      std::min<std::uint64_t>(c.registry.max_batch_operations, 4096) * c.registry.pipeline_depth;
  const std::uint64_t each = std::max<std::uint64_t>(
      commits * at_once / (pipelines * (c.joiner.count + c.dispatcher.workers)), 1);
  c.joiner.max_outstanding_registry = std::min(c.joiner.max_outstanding_registry, each);
  c.joiner.max_outstanding_per_shard = std::min(c.joiner.max_outstanding_per_shard, each);
  c.dispatcher.max_outstanding_lookups = std::min(c.dispatcher.max_outstanding_lookups, each);
}

// A master that has a newer snapshot goes on with that one, so whoever fetches one must have it
// before the log of an idle group, which grows by a move of the boundary at a time, has grown by as
// much; or by anything at all if that is when a snapshot is written.
std::uint64_t chunk_that_arrives(const Config& c) {
  constexpr double kMoveBytes = 200;
  constexpr double kIdBytes = 64;
  constexpr double kLossCosts = 1e9;  // nanoseconds: a piece that is lost is asked for again
  const double lost = 2 * c.network.loss * kLossCosts;
  const Duration trip = longest_round_trip(c) + 10 * c.network.jitter_mean + 2 * c.disk.read_p99;
  const double piece = static_cast<double>(trip.count()) + lost;
  const double ids = static_cast<double>(inserts_in(c, *c.run.duration));
  const double bytes = kMoveBytes + kIdBytes * ids;
  const double grows = std::max({static_cast<double>(c.registry.snapshot_factor) * bytes,
                                 static_cast<double>(c.registry.snapshot_min_bytes), kMoveBytes});
  const double period = static_cast<double>(c.registry.boundary_period.count());
  const double time = std::floor(grows / kMoveBytes) * period;
  const double pieces = std::max(std::floor(time / (2 * piece)), 1.0);  // that surely arrive in it
  return static_cast<std::uint64_t>(std::ceil(bytes / pieces));
}

// What is shorter than what it waits for is no limit of a protocol but nonsense: nothing would ever
// come to an end.
void keep_sense(Config& c) {
  Registry& r = c.registry;
  const Duration spare = r.election_timeout - r.lease;
  // A lease is renewed by the answer to a heartbeat, of the farthest replica if others are away,
  // and by what is stored; its master counts on less of it, as clocks may drift.
  const Duration renewal = r.heartbeat + longest_round_trip(c) + 10 * c.network.jitter_mean;
  const Duration counted = std::max<Duration>(2 * r.heartbeat, renewal) + 2 * c.disk.fsync_p99;
  const double share = 1 - 2 * r.clock_drift_bound;
  r.lease = std::max<Duration>(
      r.lease, Duration(static_cast<std::int64_t>(static_cast<double>(counted.count()) / share)));
  r.election_timeout = r.lease + spare;
  // A replica that starts anew reads all its segments: many of them, or slowly, not both.
  if (r.segment_bytes < 100'000) {
    c.disk.read_median = Disk{}.read_median;
    c.disk.read_p99 = Disk{}.read_p99;
  }
  // Without tokens an answer that comes late is no answer to what was asked since: shards that take
  // little at a time would never catch up, once behind, with what is asked again and again.
  if (!c.joiner.tokens) r.max_batch_operations = Registry{}.max_batch_operations;
  // Ids leave at least as fast as they come.
  const Duration commit = r.heartbeat + 2 * c.disk.fsync_p99;
  r.gc_batch = std::max(r.gc_batch, inserts_in(c, commit));
  r.snapshot_chunk_bytes = std::max(r.snapshot_chunk_bytes, chunk_that_arrives(c));
  answer_all_at_once(c);
  // An answer to a look-up takes the way to the master and back, and from there to a majority; half
  // of the time-out must hold that, or look-ups would never be answered at all.
  const Duration answer =
      2 * longest_round_trip(c) + 20 * c.network.jitter_mean + 2 * c.disk.fsync_p99;
  c.dispatcher.lookup_timeout = std::max<Duration>(c.dispatcher.lookup_timeout, 2 * answer);
  answer_within_patience(c);
  Verification& v = c.verification;
  // An auditor fences the life before it reads: an append. Who never waits for that has no proof.
  const Duration proof = 3 * c.cell.list_latency + c.cell.read_p99 + 2 * c.cell.append_p99;
  v.answer_timeout = std::max<Duration>(v.answer_timeout, proof + longest_round_trip(c));
}

}  // namespace

void push_to_extremes(Config& config, std::uint64_t seed) {
  Dice dice(seed, Part::extremes);
  config.run.shuffle_ties = dice.chance(0.5);
  const double share = dice.one_of({0.0, 0.0, 0.03, 0.1, 0.1, 0.3});
  push(kRegistryKnobs, share, config, dice);
  push(kSurroundingsKnobs, share, config, dice);
  if (!config.registry_only()) push_pipelines(config, share, dice);
  keep_sense(config);
}

void limit_slowness(Config& config) {
  const Duration slowest =
      std::max({config.cell.append_p99, config.cell.read_p99, config.cell.list_latency,
                config.disk.fsync_p99, config.disk.read_p99});
  for (const std::string& place : datacenter_names(config)) {
    const double bearable = seconds(10s) / seconds(slowest);
    double everything = 1;
    for (SlowFault& slow : config.faults.slow) {
      if (slow.datacenter != place) continue;
      slow.factor = limited(slow.factor, bearable);
      everything = std::max(everything, slow.factor);
    }
    for (DiskFault& disk : config.faults.disks) {
      if (disk.kind != DiskMishap::kSlow || datacenter_of(disk.where) != place) continue;
      disk.factor = limited(disk.factor, bearable / everything);
    }
  }
}

}  // namespace photonsim::scenarios::swarm
