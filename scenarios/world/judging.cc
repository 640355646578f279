#include "scenarios/world/judging.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scenarios/config/config_names.h"
#include "scenarios/faults/consequences.h"
#include "scenarios/faults/slow.h"
#include "scenarios/world/calendar.h"
#include "scenarios/world/drift.h"
#include "scenarios/world/judged_pauses.h"
#include "scenarios/world/quiescence.h"
#include "scenarios/world/slow_storage.h"

namespace photonsim::scenarios {
namespace {

// For a busy joiner; seconds are usual.
constexpr Duration kUsualSilence = std::chrono::minutes(2);
// A record waits for two appends at most.
constexpr int kAppendsInTurn = 2;
constexpr Duration kMoment = std::chrono::seconds(5);

// How long faults may silence an attempt whose joiner lives. Only an outage of its cell can: a
// record that waits for an append to an unavailable cell shows no sign of life. A request for the
// registry is repeated whichever process is down or cut off, and an outage of a whole datacenter
// includes the joiner.
Duration longest_hold(const Consequences& faults) {
  Duration longest{0};
  for (const auto& [cell, held] : faults.appends_held) longest = std::max(longest, held);
  return longest;
}

// The time that an undisturbed worker may need to start what is due: the time-outs of a try, and to
// find new bytes or to take its file states over.
Duration time_to_notice(const Config& config) {
  const Dispatcher& dispatcher = config.dispatcher;
  // Noticed within the lease and one more read.
  const Duration takeover = 2 * dispatcher.lease + slowest_takeover(config.cell);
  return dispatcher.lookup_timeout + dispatcher.send_timeout + 2 * longest_scan_pause(dispatcher) +
         takeover;
}

// The time that a reader waits for more of a record that seems incomplete, before it skips it.
Duration longest_doubt(const Config& config) {
  const bool doubtful = consequences_of(config).incomplete_clicks;
  return doubtful ? config.dispatcher.stalled_after : Duration{0};
}

// A click that was looked up waits to be sent: for all clicks looked up before it, in rounds of the
// sends in flight; and for its group. Each round takes at most one time-out.
Duration longest_wait_to_send(const Dispatcher& dispatcher) {
  const auto rounds = static_cast<std::int64_t>(dispatcher.max_outstanding_lookups /
                                                dispatcher.max_outstanding_sends);
  const Duration group = dispatcher.group > 1 ? dispatcher.group_wait : Duration{0};
  return rounds * dispatcher.send_timeout + group;
}

// The pauses that the dispatcher's backoff promises, by the tries before them, none first (C-21).
std::vector<Duration> pauses_after_tries(const Dispatcher& dispatcher) {
  const Duration wait = longest_wait_to_send(dispatcher);
  std::vector<Duration> pauses{wait};
  for (const Duration pause : longest_pauses(dispatcher)) pauses.push_back(wait + pause);
  return pauses;
}

Duration scaled(double share, Duration of) {
  return Duration(static_cast<std::int64_t>(share * static_cast<double>(of.count())));
}

// Average time of a request: request and answer must both arrive, otherwise the caller waits for
// the time-out.
Duration with_losses(const Network& network, Duration answered, Duration timeout) {
  const double arrive = (1.0 - network.loss) * (1.0 - network.loss);
  return scaled(arrive, answered) + scaled(1.0 - arrive, timeout);
}

Duration usual_round_trip(const Network& network) {
  Duration round_trip = 100ms;
  for (const NetworkLink& link : network.links) round_trip = std::max(round_trip, link.rtt);
  return round_trip + network.jitter_mean + scaled(network.reordering, network.reorder_delay);
}

// What a look-up takes where nothing holds it up: it waits for the batch in flight (B-07).
Duration usual_lookup(const Config& config) {
  return 2 * usual_round_trip(config.network) + config.disk.fsync_p99;
}

// Half of its questions are never answered: what is left is not certain.
bool is_deaf(const Network& network) { return (1.0 - network.loss) * (1.0 - network.loss) < 0.5; }

// Half of what the caps allow, for retries take turns with fresh clicks (J-P3). In thousandths of a
// click per second. 0: nothing is certain.
std::uint64_t certain_rate_milli(const Config& config) {
  const Dispatcher& dispatcher = config.dispatcher;
  const Network& network = config.network;
  if (is_deaf(network)) return 0;
  const Duration asked = usual_lookup(config);
  const Duration found = usual_round_trip(network) + config.event_store.seek_cost;
  const Duration written = with_losses(network, asked, config.joiner.registry_timeout) +
                           with_losses(network, found, config.joiner.event_store_timeout) +
                           2 * config.cell.append_p99;
  const Duration lookup = with_losses(network, asked, dispatcher.lookup_timeout);
  const Duration join =
      with_losses(network, usual_round_trip(network) + written, dispatcher.send_timeout);
  const Duration each =
      std::max(lookup / static_cast<std::int64_t>(dispatcher.max_outstanding_lookups),
               join / static_cast<std::int64_t>(dispatcher.max_outstanding_sends)) +
      2 * config.service.dispatcher_step + config.service.joiner_step;
  return static_cast<std::uint64_t>(1000s / std::max<Duration>(each, 1us) / 2);
}

// For one click that is due before: at worst each attempt runs into its time-outs, and every second
// one is of a fresh click.
Duration turn_of(const Config& config) {
  const Dispatcher& dispatcher = config.dispatcher;
  const std::uint64_t cap =
      std::min(dispatcher.max_outstanding_lookups, dispatcher.max_outstanding_sends);
  return 2 * (dispatcher.lookup_timeout + dispatcher.send_timeout) /
             static_cast<std::int64_t>(cap) +
         2 * config.service.dispatcher_step;
}

Duration longest_silence(const Config& config) {
  const Consequences faults = consequences_of(config);
  return kUsualSilence + kAppendsInTurn * slowest_append(config.cell) + longest_hold(faults) +
         faults.answers_held + kMostTimeouts * config.joiner.registry_timeout;
}

// In a healthy group, where messages may be lost: a heartbeat sends lost values again.
Duration longest_commit(const Config& config) {
  constexpr int kLostInARow = 20;
  return kLostInARow * config.registry.heartbeat + std::chrono::seconds(1) + config.registry.linger;
}

// What a load of the registry asks for in all: operations come at their rate, but whole bundles at
// once, so one more may come; and each may bring what its kind has around it.
double all_of(const RegistryWorkload& load, Duration duration) {
  const double bundle = load.bundled > 0 ? static_cast<double>(load.bundle) : 1.0;
  const double operations = load.rate * static_cast<double>(duration.count()) / 1e9 + bundle;
  double each = 1;
  if (load.contested > 0) each += static_cast<double>(load.contenders - 1);
  for (const double share : {load.repeated, load.cleared, load.removed}) each += share > 0 ? 1 : 0;
  return operations * each;
}

// Requests that may be queued at a master at a time: what clients have under way, or for a load
// without caps all of it.
double most_queued(const Config& config) {
  const auto pipelines = static_cast<double>(config.topology.pipelines.size());
  double queued = pipelines * static_cast<double>(config.dispatcher.workers *
                                                  config.dispatcher.max_outstanding_lookups);
  queued +=
      pipelines * static_cast<double>(config.joiner.count * config.joiner.max_outstanding_registry);
  if (config.registry_only()) {
    queued = all_of(config.workload.registry, config.run.duration.value_or(0s));
  }
  return std::min(queued, static_cast<double>(config.registry.max_queue));
}

// The time of the requests ahead in a full queue, in consecutive transactions of the least size
// that the limits allow.
Duration longest_queue(const Config& config) {
  constexpr std::uint64_t kBytesOfOne = 200;
  const Registry& registry = config.registry;
  const auto each = static_cast<double>(std::max<std::uint64_t>(
      1, std::min(registry.max_batch_operations, registry.max_batch_bytes / kBytesOfOne)));
  const Duration transaction = 2 * usual_round_trip(config.network) + 2 * config.disk.fsync_p99;
  const double queued = most_queued(config);
  return scaled(queued / each, transaction) + scaled(queued, config.service.registry_operation);
}

// A master is elected, at the second attempt and after a lease that is still held; the client
// finds it after its longest pause; and the request commits after a full queue.
Duration commit_bound(const Config& config) {
  if (is_deaf(config.network)) return Duration{0};
  const Registry& registry = config.registry;
  const Duration election = 2 * registry.election_timeout + registry.lease;
  const Duration pause = kMostTimeouts * config.joiner.registry_timeout;
  return 2 * election + 2 * pause + longest_queue(config) + longest_commit(config) +
         consequences_of(config).answers_held;
}

// A batch may be in flight, and the next one holds what arrived meanwhile.
Duration answer_bound(const Config& config) {
  constexpr Duration kUnbounded = std::chrono::hours(24 * 365);  // the order of answers still binds
  if (is_deaf(config.network)) return kUnbounded;
  return 2 * longest_commit(config) + longest_queue(config) + consequences_of(config).answers_held;
}

// A verifier that starts is granted a life, takes over the journal of the last one, whose lease may
// still run, and repeats the removal that was intended.
Duration restart_bound(const Config& config) {
  const Consequences faults = consequences_of(config);
  return longest_hold(faults) + faults.answers_held + 2 * kVerifierLease +
         slowest_takeover(config.cell) + kAppendsInTurn * slowest_append(config.cell) + kMoment;
}

// A load on the registry alone has clients of one kind, with the joiners' time-out.
void set_prices(const Config& config, photon::analysis::JudgeConfig& judge) {
  const Dispatcher& dispatcher = config.dispatcher;
  judge.priced = dispatcher.pre_lookup && dispatcher.group <= 1;
  judge.lookup_repeat =
      config.registry_only() ? config.joiner.registry_timeout : dispatcher.lookup_timeout / 2;
  judge.retry_not_before = shortest_pauses(dispatcher);
  if (config.joiner.implementation == JoinerKind::kCustom) return;
  judge.request_repeat = config.joiner.registry_timeout;
  judge.request_pause = kRequestPause;
  judge.reads_priced = true;
  const bool cached = config.event_store.cache_nodes > 0;
  judge.cache_timeout = cached ? kCacheTimeout : Duration{0};
}

// TrueTime's earliest precedes true time by up to twice its uncertainty.
Duration boundary_bound(const Config& config) {
  return config.registry.boundary_period + 2 * config.clocks.truetime_uncertainty +
         longest_commit(config);
}

// From a request of one replica to the answer of another, which may first have to write; lost
// requests are retried with a heartbeat, or when a piece of a snapshot is missing.
Duration exchange(const Config& config, Duration written) {
  constexpr double kLongest = 1e15;  // twelve days: extreme scenarios must not overflow
  const Network& network = config.network;
  const double arrive = (1.0 - network.loss) * (1.0 - network.loss);
  const Duration repeated = std::max(config.registry.heartbeat, kFetchTimeout);
  const double lost = (1.0 / std::max(arrive, 1e-9) - 1.0) * static_cast<double>(repeated.count());
  const Duration answered = usual_round_trip(network) + 2 * written;
  return answered + Duration(static_cast<std::int64_t>(std::min(lost, kLongest)));
}

// A group elects its master, which hears all replicas and chooses an admission; twice, in case the
// first attempt fails. A starting replica reads its disk.
Duration redundancy_bound(const Config& config) {
  constexpr int kExchanges = 10;
  constexpr Duration kAtLeast = 40s;
  const Registry& registry = config.registry;
  const Duration written = slowest(config.disk.fsync_median, config.disk.fsync_p99);
  const Duration read = slowest(config.disk.read_median, config.disk.read_p99);
  const Duration election = 2 * registry.election_timeout + registry.lease;
  return kAtLeast + 2 * (election + kExchanges * exchange(config, written) + 2 * read);
}

// Each slot that a replica lacks is read from its own disk, or sent by the master.
Duration catch_up_turn(const Config& config) {
  constexpr std::uint64_t kSlotBytes = 400;
  const Registry& registry = config.registry;
  const std::uint64_t receivers =
      std::clamp<std::uint64_t>(registry.catch_up_bytes / kSlotBytes, 1, registry.catch_up_slots);
  const std::uint64_t read = std::max<std::uint64_t>(registry.segment_bytes / kSlotBytes, 1);
  return exchange(config, config.disk.fsync_p99) / static_cast<std::int64_t>(receivers) +
         config.disk.read_p99 / static_cast<std::int64_t>(read);
}

// A snapshot comes in pieces, and each operation may have stored an id in it.
Duration fetch_turn(const Config& config) {
  constexpr std::uint64_t kIdBytes = 64;
  const std::uint64_t chunk = std::max<std::uint64_t>(config.registry.snapshot_chunk_bytes, 1);
  const Duration piece = exchange(config, config.disk.read_p99);
  return piece * static_cast<std::int64_t>(kIdBytes) / static_cast<std::int64_t>(chunk);
}

void require_redundancy(const Config& config, const Deployment& deployment,
                        photon::analysis::JudgeConfig& judge) {
  for (std::size_t group = 0; group < deployment.groups(); ++group) {
    for (const RegistryReplica& replica : deployment.group(group)) {
      judge.replicas.push_back(replica.node);
    }
  }
  for (const std::string& place : consequences_of(config).wrong_bytes) {
    if (has_datacenter(config, place)) continue;
    judge.unsound.push_back(process_named(deployment.topology, place));
  }
  judge.redundancy_bound = redundancy_bound(config);
  judge.catch_up_turn = catch_up_turn(config);
  judge.fetch_turn = fetch_turn(config);
}

// An id is removed with its slice: the boundary passes the end of that later, by at most the
// boundary's own bound. Then the next scan but one finds it, in as many transactions as needed.
Duration collect_bound(const Config& config) {
  return boundary_bound(config) + config.registry.collected_slice() +
         2 * config.registry.gc_scan_period + longest_commit(config);
}

// A round of the retirement reads the history and asks one replica of each shard, in turn, for its
// boundary. The next round repeats lost and late questions. If losses alone make half of the rounds
// fail, nothing is promised.
Duration forget_bound(const Config& config, const Deployment& deployment) {
  if (deployment.sharding.empty()) return Duration{0};
  const Duration period = config.registry.routing.retire_period;
  const Duration round = 4 * usual_round_trip(config.network);
  double arrive = 1.0;
  for (std::size_t message = 0; message < 3 + 2 * deployment.shards.size(); ++message) {
    arrive *= 1.0 - config.network.loss;
  }
  if (arrive < 0.5 || round > period) return Duration{0};
  const auto replicas = static_cast<std::int64_t>(config.registry.replicas.size());
  const std::int64_t rounds = replicas + 2 + (arrive < 1.0 ? 16 : 0);
  return boundary_bound(config) + rounds * period + longest_commit(config);
}

// S as configured, where clients obey rule 2 of B-60c; else negative: nothing is checked.
Duration history_skew(const Config& config, const Deployment& deployment) {
  const Routing& routing = config.registry.routing;
  if (deployment.sharding.empty() || !routing.read_after_stamp) return Duration{-1};
  return routing.skew_bound.value_or(config.clocks.skew_bound());
}

// How long requests may keep a replica from its timer: a full queue, and a snapshot of all that was
// ever inserted, in datacenters that faults make slow.
Duration longest_busy(const Config& config) {
  constexpr double kMiB = 1 << 20;
  constexpr double kIdBytes = 64;
  const double inserted = config.registry_only()
                              ? all_of(config.workload.registry, config.run.duration.value_or(0s))
                              : static_cast<double>(config.workload.synthetic.clicks);
  double slowest = 1;
  for (const SlowFault& slow : config.faults.of<SlowFault>()) slowest *= slow.factor;
  return scaled(slowest * most_queued(config), config.service.registry_operation) +
         scaled(slowest * inserted * kIdBytes / kMiB, config.service.registry_snapshot);
}

void set_mastership(const Config& config, photon::analysis::JudgeConfig& judge) {
  const Registry& registry = config.registry;
  judge.lease = registry.lease;
  judge.election_timeout = registry.election_timeout;
  judge.heartbeat_bound = registry.heartbeat + registry.heartbeat / 2 + config.run.tick +
                          std::min<Duration>(longest_busy(config), std::chrono::hours(1));
  judge.monotonic_drift_ppb = clock_drift_ppb(registry);
}

}  // namespace

photon::analysis::JudgeConfig judge_config(const Config& config, const Deployment& deployment) {
  photon::analysis::JudgeConfig judge;
  judge.measured_from = photon::SimTime(config.run.measure_from);
  for (const Pipeline& pipeline : deployment.pipelines) {
    judge.pipelines.push_back(pipeline.datacenter);
  }
  std::ranges::sort(judge.pipelines);
  for (const photon::DatacenterId datacenter : judge.pipelines) {
    judge.pipeline_names.push_back(deployment.topology.datacenter(datacenter).name);
  }
  for (const auto& datacenter : deployment.topology.datacenters()) {
    judge.regions.push_back(datacenter.region.value());
  }
  judge.shards = static_cast<std::uint32_t>(deployment.groups());
  if (!deployment.sharding.empty()) judge.sharding_group = judge.shards - 1;
  judge.first_shards = static_cast<std::uint32_t>(config.registry.shards);
  judge.replicas_per_group = static_cast<std::uint32_t>(config.registry.replicas.size());
  // Clients of the registry alone have no caps: what they ask is their load.
  const auto cap = config.registry_only()
                       ? 0
                       : static_cast<std::uint32_t>(config.joiner.max_outstanding_registry);
  // A group that is refused as a whole has been counted up to its last member.
  judge.joiner_max_in_flight =
      static_cast<std::uint32_t>(config.joiner.max_in_flight + config.dispatcher.group - 1);
  judge.joiner_max_outstanding_registry = cap;
  judge.joiner_max_outstanding_per_shard =
      static_cast<std::uint32_t>(config.joiner.max_outstanding_per_shard);
  judge.joiner_window_bound =
      config.registry_only() ? 0 : static_cast<std::uint32_t>(window_bound(config.joiner));
  judge.journal_lease = config.registry_only() ? Duration{0} : config.dispatcher.lease;
  judge.history_skew = history_skew(config, deployment);
  judge.forget_bound = forget_bound(config, deployment);
  judge.max_batch_operations = static_cast<std::uint32_t>(config.registry.max_batch_operations);
  judge.tokens = config.joiner.tokens;
  judge.dispatcher_max_outstanding =
      static_cast<std::uint32_t>(config.dispatcher.max_outstanding_sends);
  judge.dispatcher_send_timeout = config.dispatcher.send_timeout;
  judge.dispatcher_max_lookups = static_cast<std::uint32_t>(
      config.registry_only() ? 0 : config.dispatcher.max_outstanding_lookups);
  judge.dispatcher_lookup_timeout = config.dispatcher.lookup_timeout;
  judge.output_copies = config.joiner.output_copies;
  // It is noted with the next save at the latest, after one that is in flight.
  judge.removal_grace =
      config.dispatcher.state_save_period + kAppendsInTurn * slowest_append(config.cell) + kMoment;
  judge.state_operators = deployment.forgetters;
  judge.unjoinable_attempts = config.dispatcher.unjoinable_attempts;
  judge.unjoinable_age = config.dispatcher.unjoinable_age;
  judge.attempt_silence_bound = longest_silence(config);
  judge.dispatcher_time_limit = time_to_notice(config) + consequences_of(config).answers_held;
  judge.retry_time_limit =
      time_to_notice(config) + consequences_of(config).answers_held + longest_doubt(config);
  judge.retry_turn = turn_of(config);
  judge.retry_after = pauses_after_tries(config.dispatcher);
  judge.dispatch_rate_milli = certain_rate_milli(config);
  judge.gc_age = config.registry.gc_age;
  judge.commit_bound = commit_bound(config);
  judge.answer_bound = answer_bound(config);
  judge.restart_bound = restart_bound(config);
  set_prices(config, judge);
  judge.boundary_bound = boundary_bound(config);
  judge.collect_bound = collect_bound(config);
  judge.clock_epsilon = config.clocks.epsilon;
  judge.calendar_epoch = kCalendarEpoch;
  judge.corner_cases = config.run.corner_cases;
  judge.recovery_bound = recovery_bound(config.verification);
  require_redundancy(config, deployment, judge);
  set_mastership(config, judge);
  return judge;
}

}  // namespace photonsim::scenarios
