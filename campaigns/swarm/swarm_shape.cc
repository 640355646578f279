#include "campaigns/swarm/swarm_shape.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "campaigns/swarm/rng.h"

namespace photonsim::scenarios::swarm {
namespace {

std::uint64_t scale(const Options& options) { return options.profile == Profile::deep ? 10 : 1; }

void draw_run(Config& c, const Options& options, Rng rng) {
  const auto longer = options.profile == Profile::deep ? 3 : 1;
  c.run.duration = rng.time(90s, 240s) * longer;
  c.run.warm_up = rng.time(2s, 20s);
  c.run.corner_cases = true;
  c.run.indeterminate = IndeterminateIds::kAllow;  // the campaign limits them
}

// Three or five datacenters, each its own region, or two regions of two and one of one: no region
// holds a majority (SPEC B-05).
void draw_topology(Config& c, Rng rng) {
  const std::uint64_t count = rng.chance(0.6) ? 3 : 5;
  const bool pairs = count == 5 && rng.chance(0.5);
  c.topology.datacenters.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t region = pairs ? i / 2 : i;
    c.topology.datacenters.push_back({fmt::format("dc{}", i), fmt::format("region{}", region)});
  }
  std::vector<std::string> names;
  for (const Datacenter& each : c.topology.datacenters) names.push_back(each.name);
  c.registry.replicas = names;
  c.topology.pipelines = rng.some(names, rng.chance(0.75) ? 2 : rng.count(1, 3));
  std::ranges::sort(c.topology.pipelines);
  c.network.wan = WanSource::kLinks;
  const Duration far = rng.time(2ms, 300ms);
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = a + 1; b < names.size(); ++b) {
      c.network.links.push_back({names[a], names[b], rng.time(1ms, std::max<Duration>(far, 2ms))});
    }
  }
  c.network.intra_datacenter_rtt = rng.time(100us, 2ms);
  c.network.jitter_mean = rng.time(10us, 5ms);
}

void draw_registry(Config& c, Rng rng) {
  Registry& r = c.registry;
  r.shards = rng.one_of<std::uint64_t>({1, 1, 2, 3});
  r.max_batch_operations = rng.chance(0.5) ? rng.size(1, 16) : 4096;
  r.max_queue = rng.chance(0.2) ? rng.size(4, 64) : 100'000;
  r.max_bundle = rng.chance(0.3) ? rng.size(1, 8) : 1024;
  r.lookup_mode = rng.one_of({LookupMode::kQueueOrdered, LookupMode::kQueueOrdered,
                              LookupMode::kBypass, LookupMode::kReplica});
  r.pipeline_depth = rng.one_of<std::uint64_t>({1, 1, 2, 8});
  // A heartbeat is several round trips apart, a lease several heartbeats long.
  const Duration round = longest_round_trip(c) + 10 * c.network.jitter_mean;
  r.heartbeat = std::max<Duration>(rng.time(50ms, 400ms), round);
  r.lease = r.heartbeat * static_cast<std::int64_t>(rng.count(3, 6));
  r.election_timeout = r.lease + r.heartbeat * static_cast<std::int64_t>(rng.count(1, 4));
  r.boundary_period = rng.time(1s, 30s);
  r.gc_scan_period = rng.time(500ms, 30s);
  if (rng.chance(0.2)) r.segment_bytes = rng.size(500, 50'000);
  r.gc_batch = rng.chance(0.5) ? rng.size(1, 20) : 1000;
  r.snapshot_min_bytes = rng.chance(0.7) ? rng.size(2000, 100'000) : 1 << 18;
  r.snapshot_chunk_bytes = rng.chance(0.5) ? rng.size(256, 8192) : 1 << 18;
  r.master_placement = rng.one_of({MasterPlacement::kSpread, MasterPlacement::kNearest});
  if (rng.chance(0.3)) r.master_return_after = rng.time(1s, 20s);
  if (rng.chance(0.4)) {
    r.sharding = Sharding::kDynamic;
    r.routing.horizon = rng.chance(0.3);
    r.routing.freshness = rng.chance(0.3);
    r.routing.retire_period = rng.time(1s, 60s);
    if (rng.chance(0.4)) {
      r.routing.server_check =
          r.routing.horizon ? ServerCheck::kHorizon : ServerCheck::kReadAfterStamp;
    }
    r.routing.max_age = rng.time(1s, 5s);
    r.routing.horizon_ahead = rng.time(5s, 60s);
    r.routing.horizon_period = r.routing.horizon_ahead / 3;
  }
  r.reject_future = rng.chance(0.2);
  // One rule of B-60c is enough.
  const Routing& routing = r.routing;
  const bool guarded =
      routing.horizon || routing.freshness || routing.server_check != ServerCheck::kOff;
  if (r.sharding == Sharding::kDynamic && guarded && rng.chance(0.4)) {
    r.routing.read_after_stamp = false;
  }
}

void draw_pipeline(Config& c, Rng rng) {
  Joiner& j = c.joiner;
  j.count = rng.count(1, 3);
  j.max_in_flight = rng.chance(0.3) ? rng.size(2, 40) : 1000;
  j.max_outstanding_registry = rng.chance(0.4) ? rng.size(1, 20) : 100;
  j.max_outstanding_per_shard = rng.chance(0.2) ? rng.size(1, 10) : 0;
  j.max_window = rng.chance(0.2) ? rng.size(1, 20) : 0;
  const Duration commit = 4 * longest_round_trip(c) + 20 * c.network.jitter_mean;
  j.registry_timeout = std::max<Duration>(rng.time(300ms, 3s), 2 * commit);
  j.event_store_timeout = rng.time(500ms, 5s);
  j.output_copies = c.topology.pipelines.size() > 1 && rng.chance(0.25);
  if (rng.chance(0.2)) {
    j.adapter = AdapterKind::kFilter;
    j.skip_modulo = rng.count(2, 5);
  } else if (rng.chance(0.2)) {
    j.adapter = AdapterKind::kEnrich;
  }
  Dispatcher& d = c.dispatcher;
  d.workers = rng.count(1, 3);
  d.scan_period = rng.time(200ms, 3s);
  d.state_save_period = rng.time(200ms, 3s);
  d.lease = d.state_save_period * 3 + rng.time(2s, 8s);
  d.pre_lookup = rng.chance(0.9);
  d.backoff_initial = rng.time(200ms, 2s);
  d.backoff_cap = std::max(d.backoff_initial, rng.time(3s, 20s));
  d.unjoinable_attempts = rng.count(2, 8);
  d.unjoinable_age = rng.time(20s, 90s);
  d.max_outstanding_lookups = rng.chance(0.2) ? rng.size(4, 40) : 1000;
  d.max_outstanding_sends = rng.chance(0.2) ? rng.size(4, 40) : 1000;
  d.lookup_timeout = std::max<Duration>(rng.time(500ms, 3s), 2 * commit);
  d.send_timeout = j.registry_timeout + j.event_store_timeout + rng.time(1s, 5s);
  d.read_chunk = rng.chance(0.4) ? rng.size(1024, 16'384) : 64 << 10;
  if (rng.chance(0.15)) d.stalled_after = rng.time(100ms, 30s);
  if (rng.chance(0.15)) d.journal_slack = rng.size(1, 20'000);
  if (rng.chance(0.12)) {
    d.group = rng.count(2, 4);
    d.group_wait = rng.time(100ms, 3s);
    d.max_outstanding_sends = std::max(d.max_outstanding_sends, d.group);
    j.max_in_flight = std::max(j.max_in_flight, d.group);
  }
  if (rng.chance(0.2)) {
    d.fresh_share = rng.share(0.1, 0.6);
    d.fresh_age = rng.time(2s, 60s);
  }
  EventStore& e = c.event_store;
  e.cache_nodes = rng.count(1, 3);
  e.cache_bytes = rng.chance(0.3) ? rng.size(200, 200'000) : 64 << 20;
  e.map_interval = rng.time(1s, 20s);
  e.map_bytes = rng.chance(0.3) ? rng.size(500, 20'000) : 1 << 20;
  if (rng.chance(0.15)) e.stalled_after = rng.time(100ms, 30s);
  e.log_concurrency = rng.chance(0.3) ? rng.count(1, 4) : 64;
  Verification& v = c.verification;
  v.enabled = rng.chance(0.5);
  v.verifiers = rng.count(1, 2);
  v.grace = rng.time(5s, 40s);
  v.unregistered_after = 4 * d.unjoinable_age + 2min;
  if (rng.chance(0.3)) v.unregistered_after = d.unjoinable_age + rng.time(10s, 1min);
  v.recheck_initial = rng.time(1s, 5s);
  v.recheck_cap = v.recheck_initial + rng.time(2s, 20s);
  v.scan_period = rng.time(500ms, 5s);
  v.answer_timeout = rng.time(1s, 4s);
}

// Ids of a server, and of several, share stamps where clocks are coarse.
void draw_stamps(Config& c, Rng rng) {
  if (c.scenario.tier == Tier::kContract || !rng.chance(0.3)) return;
  c.clocks.stamp_resolution = rng.time(10ms, 1s);
}

// Clocks keep 2 (e + rho T) below S: SPEC A-32. Coarse stamps add to both sides.
void generate_environment(Config& c, Rng rng) {
  c.clocks.epsilon = rng.time(20ms, 1s);
  c.clocks.sync_error = c.clocks.epsilon / static_cast<std::int64_t>(rng.count(3, 20));
  c.clocks.epsilon += c.clocks.stamp_resolution;
  c.clocks.sync_period = rng.time(2s, 60s);
  if (rng.chance(0.5)) {
    c.clocks.step_interval = rng.time(2s, 30s);
    c.clocks.step_max = rng.time(1ms, c.clocks.epsilon);
  }
  c.clocks.truetime_uncertainty = rng.time(500us, 20ms);
  c.disk.fsync_median = rng.time(100us, 5ms);
  c.disk.fsync_p99 = c.disk.fsync_median * static_cast<std::int64_t>(rng.count(2, 20));
  c.cell.append_median = rng.time(2ms, 40ms);
  c.cell.append_p99 = c.cell.append_median * static_cast<std::int64_t>(rng.count(2, 10));
  c.cell.read_median = rng.time(1ms, 10ms);
  c.cell.read_p99 = c.cell.read_median * static_cast<std::int64_t>(rng.count(2, 10));
  c.shipping.common_mean = rng.time(100ms, 3s);
  c.shipping.near_far_gap = rng.time(10ms, 2s);
  c.shipping.noise_mean = rng.time(10ms, 500ms);
  c.shipping.redraw = rng.time(2s, 20s);
  c.shipping.query_late_fraction = rng.chance(0.4) ? rng.share(0.005, 0.1) : 0;
  c.shipping.query_late_extra_mean = rng.time(2s, 15s);
}

void draw_workload(Config& c, const Options& options, Rng rng) {
  SyntheticWorkload& w = c.workload.synthetic;
  w.clicks = rng.size(60, 400) * scale(options);
  w.queries_per_click = rng.count(1, 4);
  w.query_servers = rng.count(1, 4);
  w.click_servers = rng.count(1, 4);
  w.query_payload = rng.chance(0.9) ? rng.size(32, 300) : rng.size(1000, 5000);
  w.click_payload = rng.size(32, 200);
  w.log_file_bytes = rng.chance(0.4) ? rng.size(2'000, 40'000) : 0;
  w.disorder = rng.chance(0.4) ? rng.time(1ms, 2s) : 0s;
  c.event_store.disorder = std::max<Duration>(50ms, 2 * w.disorder);
  w.fast_fraction = rng.one_of({0.6, 0.85, 1.0});
  w.fast_mean = rng.time(1s, 20s);
  w.slow_median = rng.time(20s, 60s);
  // Most ids outlive the run; in three tenths of the configurations they expire during it.
  const Duration least = c.dispatcher.unjoinable_age + c.clocks.skew_bound() + 1s;
  c.registry.gc_age = rng.chance(0.3) ? least + rng.time(1s, 3min) : 72h;
}

// Clients send requests to the registry; there are no pipelines.
void draw_registry_load(Config& c, const Options& options, Rng rng) {
  c.workload.kind = WorkloadKind::kRegistry;
  c.verification = Verification{};
  c.joiner = {.registry_timeout = c.joiner.registry_timeout};
  c.run.duration = rng.time(15s, 60s);
  c.run.warm_up = rng.time(100ms, 3s);
  RegistryWorkload& w = c.workload.registry;
  w.clients = rng.count(1, 3);
  w.rate = static_cast<double>(rng.size(5, 40)) * (options.profile == Profile::deep ? 3 : 1);
  w.lookups = rng.share(0.1, 0.5);
  w.known = rng.share(0.1, 0.5);
  w.aged = rng.share(0.01, 0.2);
  w.age = rng.time(5s, 20s);
  w.contested = rng.share(0.05, 0.6);
  w.contenders = rng.count(2, 4);
  w.repeated = rng.share(0.05, 0.4);
  w.cleared = rng.share(0.02, 0.2);
  w.removed = rng.share(0.02, 0.2);
  w.at_boundary = rng.share(0.005, 0.1);
  w.lag = rng.time(5ms, 500ms);
  if (rng.chance(0.4)) {
    w.ahead = rng.share(0.01, 0.1);
    w.lead = rng.time(20ms, 1s);
    if (rng.chance(0.5)) w.lead += c.clocks.skew_bound();
  }
  w.bundled = rng.chance(0.3) ? rng.share(0.05, 0.3) : 0;
  if (rng.chance(0.3)) w.bundle = rng.size(2, 50);
  c.registry.gc_age = rng.time(3s, 20s);
  c.registry.gc_scan_period = rng.time(200ms, 3s);
  c.registry.boundary_period = rng.time(200ms, 2s);
}

}  // namespace

Duration longest_round_trip(const Config& c) {
  Duration longest{0};
  for (const NetworkLink& link : c.network.links) longest = std::max(longest, link.rtt);
  return longest;
}

Config generate_deployment(const Options& options, Tier tier, std::uint64_t seed) {
  Config c;
  c.scenario.name = "swarm";
  c.scenario.description = "Generated from a seed";
  c.scenario.tier = tier;
  c.run.seed = seed;
  draw_run(c, options, Rng(seed, Part::shape));
  draw_topology(c, Rng(seed, Part::topology));
  draw_registry(c, Rng(seed, Part::registry));
  draw_pipeline(c, Rng(seed, Part::pipeline));
  draw_stamps(c, Rng(seed, Part::stamps));
  generate_environment(c, Rng(seed, Part::environment));
  Rng rng(seed, Part::workload);
  const bool registry_alone = rng.chance(0.15) && tier != Tier::kContract;
  if (registry_alone) {
    draw_registry_load(c, options, rng);
  } else {
    draw_workload(c, options, rng);
  }
  Rng network(seed, Part::network);
  c.network.loss = network.chance(0.4) ? network.share(1e-4, 0.02) : 0;
  c.network.duplication = network.chance(0.4) ? network.share(1e-4, 0.02) : 0;
  c.network.reordering = network.chance(0.4) ? network.share(1e-3, 0.05) : 0;
  c.network.reorder_delay = network.time(1ms, 500ms);
  return c;
}

}  // namespace photonsim::scenarios::swarm
