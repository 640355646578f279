#include "campaigns/swarm/swarm_constraints.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "campaigns/swarm/swarm_shape.h"
#include "core_impl/base/time.h"
#include "scenarios/config/config_names.h"
#include "scenarios/faults/all_faults.h"

namespace photonsim::scenarios::swarm {
namespace {

using namespace std::chrono_literals;

std::uint64_t inserts_in(const Config& c, Duration time) {
  const RegistryWorkload& load = c.workload.registry;
  const double alone = load.rate * static_cast<double>(load.contenders);
  const auto clicks = static_cast<double>(c.workload.synthetic.clicks);
  const double rate = c.registry_only() ? alone : clicks / photon::seconds_of(*c.run.duration);
  return 1 + static_cast<std::uint64_t>(rate * photon::seconds_of(time));
}

// Bounds the service times so that all clients get an answer before their time-outs. Without jitter
// in the pauses all clients retry at the same moment; a service too slow for all of them would
// never answer any.
void answer_all_at_once(Config& c) {
  constexpr std::int64_t kQueriesOfClick = 2;  // at most: AdapterKind::kCombine
  const auto clicks = static_cast<std::int64_t>(c.workload.synthetic.clicks + 1);
  const std::uint64_t verifiers = c.verification.enabled ? c.verification.verifiers : 0;
  const auto askers = static_cast<std::int64_t>(c.topology.pipelines.size() * (1 + verifiers) + 1);
  Service& service = c.service;
  const Duration search = c.joiner.event_store_timeout / (kQueriesOfClick * clicks);
  service.log_lookup = std::min(service.log_lookup, search);
  const auto at_once = static_cast<std::int64_t>(
      std::min<std::uint64_t>(c.event_store.log_concurrency, c.workload.synthetic.clicks + 1));
  c.event_store.seek_cost = std::min(c.event_store.seek_cost, at_once * search);
  // A master that is busy for longer than its lease has lost it when it could answer.
  const Duration time_limit = std::min<Duration>(
      {c.joiner.registry_timeout, c.dispatcher.lookup_timeout, c.registry.lease / 2});
  service.registry_operation = std::min(service.registry_operation, time_limit / (askers * clicks));
}

// Of a single operation. The mean of a lognormal time lies between its median and this.
Duration usual_commit(const Config& c) {
  return longest_round_trip(c) + c.disk.fsync_median + c.disk.fsync_p99 / 8;
}

// The same for a group with small batches on slow disks: the requests that joiners and dispatchers
// may have in flight are answered within half of their time-outs.
void answer_within_time_limit(Config& c) {
  const auto pipelines = c.topology.pipelines.size();
  const Duration time_limit = std::min(c.joiner.registry_timeout, c.dispatcher.lookup_timeout) / 2;
  const auto commits = static_cast<std::uint64_t>(time_limit / usual_commit(c)) + 1;
  const std::uint64_t at_once =
      std::min<std::uint64_t>(c.registry.max_batch_operations, 4096) * c.registry.pipeline_depth;
  const std::uint64_t each = std::max<std::uint64_t>(
      commits * at_once / (pipelines * (c.joiner.count + c.dispatcher.workers)), 1);
  c.joiner.max_outstanding_registry = std::min(c.joiner.max_outstanding_registry, each);
  c.joiner.max_outstanding_per_shard = std::min(c.joiner.max_outstanding_per_shard, each);
  c.dispatcher.max_outstanding_lookups = std::min(c.dispatcher.max_outstanding_lookups, each);
}

// A master with a newer snapshot sends that one instead. A replica must therefore fetch a snapshot
// before the log of an idle group, which grows by one boundary move at a time, reaches the size at
// which the next is written. With the least size, that is at any growth.
std::uint64_t chunk_that_arrives(const Config& c) {
  constexpr double kMoveBytes = 200;
  constexpr double kIdBytes = 64;
  constexpr double kLossCosts = 1e9;  // nanoseconds: a lost piece is requested again
  const double lost = 2 * c.network.loss * kLossCosts;
  const Duration trip = longest_round_trip(c) + 10 * c.network.jitter_mean + 2 * c.disk.read_p99;
  const double piece = static_cast<double>(trip.count()) + lost;
  const double ids = static_cast<double>(inserts_in(c, *c.run.duration));
  const double bytes = kMoveBytes + kIdBytes * ids;
  const double grows = std::max({static_cast<double>(c.registry.snapshot_factor) * bytes,
                                 static_cast<double>(c.registry.snapshot_min_bytes), kMoveBytes});
  const double period = static_cast<double>(c.registry.boundary_period.count());
  const double time = std::floor(grows / kMoveBytes) * period;
  const double pieces = std::max(std::floor(time / (2 * piece)), 1.0);  // that surely arrive
  return static_cast<std::uint64_t>(std::ceil(bytes / pieces));
}

}  // namespace

void repair_constraints(Config& c) {
  Registry& r = c.registry;
  const Duration spare = r.election_timeout - r.lease;
  // A lease is renewed by the answer to a heartbeat, at worst of the farthest replica, and by a
  // sync. The master counts on less than the lease, as clocks may drift.
  const Duration renewal = r.heartbeat + longest_round_trip(c) + 10 * c.network.jitter_mean;
  const Duration counted = std::max<Duration>(2 * r.heartbeat, renewal) + 2 * c.disk.fsync_p99;
  const double share = 1 - 2 * r.clock_drift_bound;
  r.lease = std::max<Duration>(
      r.lease, Duration(static_cast<std::int64_t>(static_cast<double>(counted.count()) / share)));
  r.election_timeout = r.lease + spare;
  // A restarting replica reads all its segments: many of them, or slowly, not both.
  if (r.segment_bytes < 100'000) {
    c.disk.read_median = Disk{}.read_median;
    c.disk.read_p99 = Disk{}.read_p99;
  }
  // Without tokens a late answer does not answer the retry. Shards with small batches and a backlog
  // would never catch up with the retries.
  if (!c.joiner.tokens) r.max_batch_operations = Registry{}.max_batch_operations;
  // Ids are removed at least as fast as they arrive.
  const Duration commit = r.heartbeat + 2 * c.disk.fsync_p99;
  r.gc_batch = std::max(r.gc_batch, inserts_in(c, commit));
  r.snapshot_chunk_bytes = std::max(r.snapshot_chunk_bytes, chunk_that_arrives(c));
  answer_all_at_once(c);
  // A look-up travels to the master and back, and from the master to a majority. Half of the
  // time-out must cover that, or no look-up would ever be answered.
  const Duration answer =
      2 * longest_round_trip(c) + 20 * c.network.jitter_mean + 2 * c.disk.fsync_p99;
  c.dispatcher.lookup_timeout = std::max<Duration>(c.dispatcher.lookup_timeout, 2 * answer);
  answer_within_time_limit(c);
  Verification& v = c.verification;
  // An auditor fences the incarnation, which takes an append, before it reads. A shorter time-out
  // never gives a proof.
  const Duration proof = 3 * c.cell.list_latency + c.cell.read_p99 + 2 * c.cell.append_p99;
  v.answer_timeout = std::max<Duration>(v.answer_timeout, proof + longest_round_trip(c));
}

void limit_slowness(Config& config) {
  const Duration slowest =
      std::max({config.cell.append_p99, config.cell.read_p99, config.cell.list_latency,
                config.disk.fsync_p99, config.disk.read_p99});
  for (const std::string& place : datacenter_names(config)) {
    double bearable = photon::seconds_of(10s) / photon::seconds_of(slowest);
    for (const FaultTable* const table : kAllFaults) {
      if (table->limit_slowdown != nullptr) table->limit_slowdown(config.faults, place, bearable);
    }
  }
}

}  // namespace photonsim::scenarios::swarm
