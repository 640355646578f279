#include "scenarios/world/processes.h"

#include <algorithm>
#include <memory>

#include "core_impl/paxos/master_mover.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/dispatcher/dispatcher_worker.h"
#include "core_impl/photon/dispatcher/state_operator.h"
#include "core_impl/photon/event_store/cache_node.h"
#include "core_impl/photon/event_store/log_store.h"
#include "core_impl/photon/event_store/reader.h"
#include "core_impl/photon/incarnations/incarnation_registry.h"
#include "core_impl/photon/joiner/joiner.h"
#include "core_impl/photon/output_copies/output_mirror.h"
#include "core_impl/photon/registry/registry_server.h"
#include "core_impl/photon/sharding/shard_retirement.h"
#include "core_impl/photon/sharding/sharding_operator.h"
#include "core_impl/photon/sharding/sharding_server.h"
#include "core_impl/photon/verification/auditor.h"
#include "core_impl/photon/verification/verifier.h"
#include "scenarios/config/config_names.h"
#include "scenarios/extensions/extensions.h"
#include "scenarios/world/backoff.h"
#include "scenarios/world/calendar.h"
#include "scenarios/world/drift.h"
#include "scenarios/world/master_placement.h"
#include "scenarios/world/registry_load.h"

namespace photonsim::scenarios {
namespace {

using photon::PooledVector;

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

PooledVector<photon::NodeId> pooled(const std::vector<photon::NodeId>& nodes) {
  return {nodes.begin(), nodes.end()};
}

PooledVector<photon::NodeId> nodes_of(const std::vector<RegistryReplica>& replicas) {
  PooledVector<photon::NodeId> nodes;
  for (const RegistryReplica& each : replicas) nodes.push_back(each.node);
  return nodes;
}

photon::Rule rule(bool on) { return on ? photon::Rule::on : photon::Rule::off; }

class Installer {
 public:
  Installer(const Config& config, const Deployment& deployment, const SharedByProcesses& shared,
            photon::sim::Simulation& simulation)
      : config_(config), deployment_(deployment), shared_(shared), simulation_(simulation) {}

  void run() {
    install_registry();
    if (!deployment_.sharding.empty()) install_sharding();
    for (const Pipeline& pipeline : deployment_.pipelines) {
      install_event_store(pipeline);
      install_incarnations(pipeline);
      install_joiners(pipeline);
      install_dispatchers(pipeline);
      if (config_.verification.enabled) install_verification(pipeline);
      if (config_.joiner.output_copies) install_mirror(pipeline);
    }
    std::uint32_t client = 0;  // counts over all sites, as the load does
    for (const ClientSite& site : deployment_.client_sites) install_clients(site, client);
    install_movers();
    install_forgetters();
  }

 private:
  template <class NodeType, class... Arguments>
  void install(photon::NodeId node, Arguments... arguments) {
    simulation_.set_factory(node, [=] { return std::make_unique<NodeType>(arguments...); });
  }

  void install_registry() {
    const std::vector<photon::paxos::ReplicaIndex> preferred =
        preferred_masters(config_, deployment_);
    for (std::uint32_t shard = 0; shard < deployment_.shards.size(); ++shard) {
      const std::vector<RegistryReplica>& replicas = deployment_.shards[shard];
      photon::RegistryServerOptions options;
      options.consensus.config = paxos_config(shard, preferred[shard]);
      options.consensus.members = nodes_of(replicas);
      options.guard = shard_guard();
      options.thread.max_batch_operations = narrow(config_.registry.max_batch_operations);
      options.thread.max_batch_bytes = narrow(config_.registry.max_batch_bytes);
      options.thread.max_queue = narrow(config_.registry.max_queue);
      options.consensus.config.pipeline_depth = narrow(config_.registry.pipeline_depth);
      options.linger = config_.registry.linger;
      options.skew_bound = config_.clocks.skew_bound();
      options.future_ids =
          config_.registry.reject_future ? photon::FutureIds::rejected : photon::FutureIds::counted;
      options.gc_age = config_.registry.gc_age;
      options.boundary_period = config_.registry.boundary_period;
      options.collect_period = config_.registry.gc_scan_period;
      options.collect_slice = config_.registry.collected_slice();
      options.collect_limit = narrow(config_.registry.gc_batch);
      options.consensus.snapshot_min_bytes = config_.registry.snapshot_min_bytes;
      options.consensus.snapshot_factor = narrow(config_.registry.snapshot_factor);
      options.consensus.snapshot_chunk_bytes = narrow(config_.registry.snapshot_chunk_bytes);
      install_group<photon::RegistryServer>(replicas, options);
    }
  }

  PooledVector<photon::NodeId> sharding_nodes() const { return nodes_of(deployment_.sharding); }

  PooledVector<PooledVector<photon::NodeId>> shard_nodes() const {
    PooledVector<PooledVector<photon::NodeId>> shards;
    for (const auto& replicas : deployment_.shards) shards.push_back(nodes_of(replicas));
    return shards;
  }

  Duration skew_bound() const {
    return config_.registry.routing.skew_bound.value_or(config_.clocks.skew_bound());
  }

  photon::ShardingClientOptions sharding_client(const photon::RoutingOptions& rules) const {
    photon::ShardingClientOptions options;
    options.replicas = sharding_nodes();
    options.routing = rules;
    options.routing.skew_bound = skew_bound();
    options.routing.max_age = config_.registry.routing.max_age;
    options.retry_delay = config_.registry.routing.retry_delay;
    return options;
  }

  photon::RoutingOptions client_rules() const {
    const Routing& routing = config_.registry.routing;
    return {rule(routing.freshness), rule(routing.read_after_stamp), rule(routing.horizon), {}, {}};
  }

  photon::RoutingOptions server_rules() const {
    const ServerCheck check = config_.registry.routing.server_check;
    return {rule(check == ServerCheck::kFreshness),
            rule(check == ServerCheck::kReadAfterStamp),
            rule(check == ServerCheck::kHorizon),
            {},
            {}};
  }

  photon::ShardGuardOptions shard_guard() const {
    photon::ShardGuardOptions options;
    options.map = photon::ShardMap(narrow(config_.registry.shards));
    if (deployment_.sharding.empty()) return options;
    const bool checks = config_.registry.routing.server_check != ServerCheck::kOff;
    options.check = checks ? photon::ShardCheck::by_history : photon::ShardCheck::off;
    options.history = sharding_client(server_rules());
    return options;
  }

  void install_sharding() {
    const Routing& routing = config_.registry.routing;
    const auto group = narrow(deployment_.shards.size());
    photon::ShardingServerOptions options;
    options.consensus.config = paxos_config(group, preferred_masters(config_, deployment_)[group]);
    options.consensus.members = sharding_nodes();
    options.first_shards = narrow(config_.registry.shards);
    options.margin = skew_bound();
    const bool aged = routing.freshness || routing.server_check == ServerCheck::kFreshness;
    if (aged) options.margin += routing.max_age;
    const bool horizon = routing.horizon || routing.server_check == ServerCheck::kHorizon;
    if (horizon) options.horizon_ahead = routing.horizon_ahead;
    options.horizon_period = routing.horizon_period;
    options.change_rule = routing.change_rule == ChangeRule::kStrict
                              ? photon::ChangeRule::strict
                              : photon::ChangeRule::unchecked;
    install_group<photon::ShardingServer>(deployment_.sharding, options);
    photon::ShardRetirementOptions retirement;
    retirement.configuration = sharding_nodes();
    retirement.shards = shard_nodes();
    retirement.period = routing.retire_period;
    install<photon::ShardRetirement>(*deployment_.retirement, retirement);
    install_operators();
  }

  void install_operators() {
    for (std::size_t i = 0; i < deployment_.operators.size(); ++i) {
      const ReshardOperation& planned = config_.operations.reshards[i];
      photon::ShardingOperatorOptions change;
      change.replicas = sharding_nodes();
      change.at = photon::LocalTime(kCalendarEpoch + planned.at);
      change.starts_in = planned.starts_in;
      change.round_to = config_.clocks.stamp_resolution;
      change.shards = narrow(planned.shards);
      install<photon::ShardingOperator>(deployment_.operators[i], change);
    }
  }

  void install_movers() {
    for (std::size_t i = 0; i < deployment_.movers.size(); ++i) {
      const MoveMasterOperation& planned = config_.operations.moves[i];
      const std::uint64_t group = *group_number(config_, planned.group);
      const auto& replicas = config_.registry.replicas;
      const auto place = std::ranges::find(replicas, planned.to) - replicas.begin();
      photon::paxos::MasterMoverOptions move;
      move.group = photon::ShardId(narrow(group));
      move.members = nodes_of(deployment_.group(group));
      move.to = static_cast<photon::paxos::ReplicaIndex>(place);
      move.at = photon::LocalTime(kCalendarEpoch + planned.at);
      install<photon::paxos::MasterMover>(deployment_.movers[i], move);
    }
  }

  void install_forgetters() {
    for (std::size_t i = 0; i < deployment_.forgetters.size(); ++i) {
      const ForgetStateOperation& planned = config_.operations.forgets[i];
      const auto at = datacenter_named(deployment_.topology, planned.datacenter);
      const auto pipeline = std::ranges::find(deployment_.pipelines, at, &Pipeline::datacenter);
      photon::StateOperator::Options forget;
      forget.logs = pipeline->logs;
      forget.cell = pipeline->cell;
      forget.partitions = narrow(config_.dispatcher.parts());
      forget.at = photon::LocalTime(kCalendarEpoch + planned.at);
      install<photon::StateOperator>(deployment_.forgetters[i], forget);
    }
  }

  // The members of one consensus group differ in their number and their disk.
  template <class Server, class Options>
  void install_group(const std::vector<RegistryReplica>& replicas, Options options) {
    for (std::uint32_t index = 0; index < replicas.size(); ++index) {
      options.consensus.config.self = static_cast<photon::paxos::ReplicaIndex>(index);
      options.consensus.volume = replicas[index].disk;
      options.consensus.segment_bytes = config_.registry.segment_bytes;
      simulation_.volumes().provision(
          replicas[index].disk, photon::paxos::format_name(options.consensus.config.group),
          photon::paxos::format_of_new_group(options.consensus.config.group,
                                             options.consensus.config.self));
      install<Server>(replicas[index].node, options);
    }
  }

  photon::paxos::Config paxos_config(std::uint32_t shard,
                                     photon::paxos::ReplicaIndex preferred) const {
    photon::paxos::Config config;
    config.group = photon::ShardId(shard);
    config.replicas = narrow(config_.registry.replicas.size());
    config.election_timeout = config_.registry.election_timeout;
    config.heartbeat = config_.registry.heartbeat;
    config.lease = config_.registry.lease;
    config.drift_ppm = clock_drift_ppm(config_.registry);
    config.preferred_master = preferred;
    config.catch_up_slots = narrow(config_.registry.catch_up_slots);
    config.catch_up_bytes = narrow(config_.registry.catch_up_bytes);
    config.return_after = config_.registry.master_return_after;
    return config;
  }

  photon::MapSpacing map_spacing() const {
    return {config_.event_store.map_interval, config_.event_store.map_bytes,
            config_.event_store.disorder};
  }

  void install_event_store(const Pipeline& pipeline) {
    photon::CacheNodeOptions cache;
    cache.capacity_bytes = config_.event_store.cache_bytes;
    for (const photon::NodeId node : pipeline.cache_nodes) install<photon::CacheNode>(node, cache);

    photon::LogStoreOptions store;
    store.logs = pipeline.logs;
    store.cell = pipeline.cell;
    store.spacing = map_spacing();
    store.max_concurrent = narrow(config_.event_store.log_concurrency);
    store.give_up = config_.joiner.event_store_timeout;
    install<photon::LogStore>(pipeline.log_store, store);

    photon::EventStoreReaderOptions reader;
    reader.logs = pipeline.logs;
    reader.cell = pipeline.cell;
    reader.log_store = pipeline.log_store;
    reader.cache_nodes = pooled(pipeline.cache_nodes);
    reader.spacing = map_spacing();
    reader.poll = config_.event_store.reader_poll;
    reader.read_bytes = narrow(config_.event_store.reader_chunk);
    reader.max_unsent = narrow(config_.event_store.reader_backlog);
    reader.stalled_after = config_.event_store.stalled_after;
    install<photon::EventStoreReader>(pipeline.reader, reader);
  }

  void install_incarnations(const Pipeline& pipeline) {
    photon::IncarnationRegistryOptions options;
    options.cell = pipeline.cell;
    const auto fence = [&](photon::NodeId node, std::string_view prefix) {
      options.fenced.push_back({node.value(), pipeline.cell, photon::directory_of(prefix, node)});
    };
    for (const photon::NodeId joiner : pipeline.joiners) {
      fence(joiner, photon::kOutputPrefix);
      fence(joiner, photon::kUnjoinablePrefix);
    }
    for (const photon::NodeId verifier : pipeline.verifiers) {
      fence(verifier, photon::kVerifierPrefix);
      fence(verifier, photon::logs::kReinjectedPrefix);
    }
    install<photon::IncarnationRegistry>(pipeline.incarnations, options);
  }

  PooledVector<PooledVector<photon::NodeId>> nearest_nodes(photon::DatacenterId datacenter) const {
    const std::string& name = config_.topology.datacenters[datacenter.value()].name;
    const auto order = replicas_by_distance(config_, name);
    PooledVector<PooledVector<photon::NodeId>> shards;
    for (const auto& replicas : deployment_.shards) {
      auto& nodes = shards.emplace_back();
      for (const photon::paxos::ReplicaIndex index : order) nodes.push_back(replicas[index].node);
    }
    return shards;
  }

  photon::LookupMode lookup_mode() const {
    switch (config_.registry.lookup_mode) {
      case LookupMode::kBypass:
        return photon::LookupMode::bypass;
      case LookupMode::kReplica:
        return photon::LookupMode::replica;
      case LookupMode::kQueueOrdered:
        break;
    }
    return photon::LookupMode::queue_ordered;
  }

  photon::RegistryClientOptions registry_client(photon::DatacenterId datacenter,
                                                Duration request_timeout) const {
    photon::RegistryClientOptions options;
    options.shards = photon::ShardMap(narrow(config_.registry.shards));
    if (!deployment_.sharding.empty()) options.sharding = sharding_client(client_rules());
    options.replicas = shard_nodes();
    options.request_timeout = request_timeout;
    options.lookup_deadline = config_.dispatcher.lookup_timeout;
    options.max_bundle = narrow(config_.registry.max_bundle);
    options.lookup_mode = lookup_mode();
    options.nearest = nearest_nodes(datacenter);
    return options;
  }

  void install_clients(const ClientSite& site, std::uint32_t& client) {
    photon::IncarnationRegistryOptions lives;
    lives.cell = site.cell;
    install<photon::IncarnationRegistry>(site.incarnations, lives);
    RegistryLoadOptions options;
    options.incarnations = site.incarnations;
    options.registry = registry_client(site.datacenter, config_.joiner.registry_timeout);
    options.epoch = photon::LocalTime(kCalendarEpoch);
    for (const photon::NodeId node : site.clients) {
      options.plan = shared_.load->of(client++);
      install<RegistryLoad>(node, options);
    }
  }

  void install_joiners(const Pipeline& pipeline) {
    photon::JoinerOptions joiner;
    joiner.incarnations = pipeline.incarnations;
    joiner.cell = pipeline.cell;
    joiner.registry = registry_client(pipeline.datacenter, config_.joiner.registry_timeout);
    joiner.event_store.cache_nodes = pooled(pipeline.cache_nodes);
    joiner.event_store.log_store = pipeline.log_store;
    joiner.event_store.log_timeout = config_.joiner.event_store_timeout;
    joiner.max_in_flight = narrow(config_.joiner.max_in_flight);
    joiner.max_outstanding_registry = narrow(config_.joiner.max_outstanding_registry);
    joiner.max_outstanding_per_shard = narrow(config_.joiner.max_outstanding_per_shard);
    joiner.max_window = narrow(window_bound(config_.joiner));
    joiner.tokens = config_.joiner.tokens ? photon::Tokens::kept : photon::Tokens::renewed;
    joiner.unjoinable_attempts = narrow(config_.dispatcher.unjoinable_attempts);
    joiner.unjoinable_age = config_.dispatcher.unjoinable_age;
    const photon::Adapter* adapter = &shared_.adapter;
    const auto& custom = installed_extensions().joiner;
    for (const photon::NodeId node : pipeline.joiners) {
      if (config_.joiner.implementation == JoinerKind::kCustom) {
        simulation_.set_factory(node, [=] { return custom(joiner, *adapter); });
        continue;
      }
      simulation_.set_factory(node,
                              [=] { return std::make_unique<photon::Joiner>(joiner, *adapter); });
    }
  }

  void install_dispatchers(const Pipeline& pipeline) {
    const Dispatcher& source = config_.dispatcher;
    photon::DispatcherOptions options;
    options.workers = pooled(pipeline.dispatchers);
    options.partitions = narrow(source.parts());
    options.logs = pipeline.logs;
    options.cell = pipeline.cell;
    options.joiners = pooled(pipeline.joiners);
    options.registry = registry_client(pipeline.datacenter, source.lookup_timeout / 2);
    if (config_.verification.enabled) options.reinjected = photon::Reinjected::taken;
    options.pre_lookup = source.pre_lookup ? photon::PreLookup::on : photon::PreLookup::off;
    options.backoff = backoff_of(source);
    options.scan_period = source.scan_period;
    options.scan_jitter_permille = permille(source.scan_jitter);
    options.send_timeout = source.send_timeout;
    options.state_save_period = source.state_save_period;
    options.lease = source.lease;
    options.max_outstanding_lookups = narrow(source.max_outstanding_lookups);
    options.max_outstanding_sends = narrow(source.max_outstanding_sends);
    options.group = narrow(source.group);
    options.group_wait = source.group_wait;
    options.read_chunk = narrow(source.read_chunk);
    options.max_concurrent_reads = narrow(source.max_reads);
    options.stalled_after = source.stalled_after;
    options.compaction_slack = source.journal_slack;
    options.fresh_share_permille = permille(source.fresh_share);
    options.fresh_age = source.fresh_age;
    for (const photon::NodeId node : pipeline.dispatchers) {
      install<photon::DispatcherWorker>(node, options);
    }
  }

  void install_verification(const Pipeline& pipeline) {
    const Verification& source = config_.verification;
    photon::AuditorOptions auditor;
    auditor.cell = pipeline.cell;
    auditor.registry = registry_client(pipeline.datacenter, config_.joiner.registry_timeout);
    auditor.scan_period = source.scan_period;
    auditor.memory = source.memory;
    install<photon::Auditor>(pipeline.auditor, auditor);

    photon::VerifierOptions verifier;
    verifier.incarnations = pipeline.incarnations;
    verifier.logs = pipeline.logs;
    verifier.cell = pipeline.cell;
    verifier.registry = auditor.registry;
    verifier.grace = source.grace;
    verifier.unregistered_after = source.unregistered_after;
    verifier.recheck.initial = source.recheck_initial;
    verifier.recheck.cap = source.recheck_cap;
    verifier.answer_timeout = source.answer_timeout;
    verifier.scan_period = source.scan_period;
    for (const Pipeline& each : deployment_.pipelines) {
      verifier.auditors.push_back(each.auditor);
      for (const photon::NodeId joiner : each.joiners) {
        verifier.registrars.push_back({joiner.value(), each.incarnations});
      }
    }
    for (const photon::NodeId node : pipeline.verifiers) install<photon::Verifier>(node, verifier);
  }

  void install_mirror(const Pipeline& pipeline) {
    photon::OutputMirrorOptions mirror;
    mirror.cell = pipeline.cell;
    for (const Pipeline& each : deployment_.pipelines) {
      if (each.mirror != pipeline.mirror) mirror.peers.push_back(each.mirror);
    }
    install<photon::OutputMirror>(pipeline.mirror, mirror);
  }

  const Config& config_;
  const Deployment& deployment_;
  const SharedByProcesses& shared_;
  photon::sim::Simulation& simulation_;
};

}  // namespace

void install_processes(const Config& config, const Deployment& deployment,
                       const SharedByProcesses& shared, photon::sim::Simulation& simulation) {
  Installer(config, deployment, shared, simulation).run();
}

}  // namespace photonsim::scenarios
