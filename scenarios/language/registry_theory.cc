#include "scenarios/language/registry_theory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core_impl/photon/registry/transaction.h"

namespace photonsim::scenarios {
namespace {

namespace theory = photon::analysis::theory;

}  // namespace

double lognormal_mean_seconds(Duration median, Duration p99) {
  constexpr double kNormal99 = 2.3263478740408408;
  if (median <= Duration{0} || p99 <= median) return photon::seconds_of(median);
  const double sigma = std::log(photon::seconds_of(p99) / photon::seconds_of(median)) / kNormal99;
  return photon::seconds_of(median) * std::exp(sigma * sigma / 2);
}

double operations_for_each(const Config& config) {
  const RegistryWorkload& load = config.workload.registry;
  const double clients = static_cast<double>(load.clients * config.topology.pipelines.size());
  const double rivals = clients < 2 ? 0 : static_cast<double>(load.contenders - 1);
  return 1 + (1 - load.lookups) *
                 (load.contested * rivals + load.repeated + load.cleared + load.removed);
}

RegistryTheory::RegistryTheory(const Config& config) : config_(config), trips_(config) {
  for (std::size_t shard = 0; shard < config.registry.shards; ++shard) {
    masters_.push_back(master_of(shard));
  }
  for (const std::string& master : masters_) {
    if (!commits_.contains(master)) commits_.emplace(master, commit_of(master));
  }
}

double RegistryTheory::pipelines() const {
  return static_cast<double>(config_.topology.pipelines.size());
}

std::string RegistryTheory::master_of(std::size_t shard) const {
  const Registry& registry = config_.registry;
  if (registry.master_placement == MasterPlacement::kPinned) return registry.pinned_datacenter;
  if (registry.master_placement == MasterPlacement::kNearest) {
    return registry.replicas[trips_.nearest_replica()];
  }
  return registry.replicas[shard % registry.replicas.size()];
}

double RegistryTheory::jitter_seconds() const {
  return 2 * photon::seconds_of(config_.network.jitter_mean);
}

double RegistryTheory::commit_seconds(const std::string& master) const {
  const auto known = commits_.find(master);
  return known != commits_.end() ? known->second : 0;
}

// The wait for a quorum is an order statistic of the round trips with their jitter.
double RegistryTheory::commit_of(const std::string& master) const {
  theory::QuorumCommit commit;
  const auto& replicas = config_.registry.replicas;
  bool left_out = false;  // the master's own replica
  for (const std::string& replica : replicas) {
    if (replica == master && !std::exchange(left_out, true)) continue;
    commit.round_trips_ms.push_back(
        1000 * photon::seconds_of(replica == master ? config_.network.intra_datacenter_rtt
                                                    : trips_.between(master, replica)));
  }
  commit.acknowledgements =
      theory::acknowledgements_needed(static_cast<std::uint32_t>(replicas.size()));
  const double jitter_ms = 1000 * jitter_seconds();
  if (jitter_ms > 0) commit.jitter = {theory::JitterKind::exponential_each_way, jitter_ms};
  const auto quorum = theory::quorum_latency_mean_ms(commit);
  const double waits =
      quorum ? *quorum / 1000 : photon::seconds_of(trips_.quorum_delay(master)) + jitter_seconds();
  return waits + lognormal_mean_seconds(config_.disk.fsync_median, config_.disk.fsync_p99);
}

double RegistryTheory::slowest_commit_seconds() const {
  double slowest = 0;
  for (const std::string& master : masters_) slowest = std::max(slowest, commit_seconds(master));
  return slowest;
}

double RegistryTheory::trip_seconds(const std::string& pipeline, const std::string& master) const {
  return jitter_seconds() + (pipeline == master
                                 ? photon::seconds_of(config_.network.intra_datacenter_rtt)
                                 : photon::seconds_of(trips_.between(pipeline, master)));
}

double RegistryTheory::nearest_trip_seconds(const std::string& pipeline) const {
  double nearest = 0;
  for (const std::string& replica : config_.registry.replicas) {
    const double trip = trip_seconds(pipeline, replica);
    nearest = &replica == &config_.registry.replicas.front() ? trip : std::min(nearest, trip);
  }
  return nearest;
}

std::uint64_t RegistryTheory::inserts_that_fit() const {
  return (config_.registry.max_batch_bytes - photon::kTransactionHeaderBytes) /
         photon::kInsertBytes;
}

bool RegistryTheory::queues_lookups() const {
  return config_.registry.lookup_mode == LookupMode::kQueueOrdered;
}

double RegistryTheory::inserts_per_second(double load_per_second) const {
  if (config_.registry_only()) {
    const double lookups = config_.workload.registry.lookups / operations_for_each(config_);
    return load_per_second * (1 - lookups) / shards();
  }
  return load_per_second * (config_.dispatcher.pre_lookup ? 1 : pipelines()) / shards();
}

double RegistryTheory::lookups_per_second(double load_per_second) const {
  if (config_.registry_only()) {
    return load_per_second / shards() - inserts_per_second(load_per_second);
  }
  return config_.dispatcher.pre_lookup ? load_per_second * pipelines() / shards() : 0;
}

double RegistryTheory::lookups_of_pipeline(double load_per_second) const {
  return pipelines() > 0 ? lookups_per_second(load_per_second) / pipelines() : 0;
}

double RegistryTheory::queued_per_second(double load_per_second) const {
  const double inserts = config_.registry_only() ? inserts_per_second(load_per_second)
                                                 : load_per_second * pipelines() / shards();
  return inserts + (queues_lookups() ? lookups_per_second(load_per_second) : 0);
}

double RegistryTheory::requests_per_second(double load_per_second) const {
  const bool answers_lookups = config_.registry.lookup_mode != LookupMode::kReplica;
  return inserts_per_second(load_per_second) +
         (answers_lookups ? lookups_per_second(load_per_second) : 0);
}

theory::CommitLoad RegistryTheory::commit_load(double load_per_second,
                                               const std::string& master) const {
  return {inserts_per_second(load_per_second), commit_seconds(master)};
}

// It ends when a batch is full.
double RegistryTheory::linger_seconds(double load_per_second) const {
  const double linger = photon::seconds_of(config_.registry.linger);
  const double queued = queued_per_second(load_per_second);
  if (queued <= 0) return linger;
  return std::min(linger, static_cast<double>(config_.registry.max_batch_operations) / queued);
}

double RegistryTheory::queueing_seconds(double load_per_second, const std::string& master) const {
  const auto depth = static_cast<double>(config_.registry.pipeline_depth);
  const auto means = theory::group_commit_means(commit_load(load_per_second, master));
  const double under_way = means ? means->busy_fraction * commit_seconds(master) / 2 / depth : 0;
  return std::max(under_way, linger_seconds(load_per_second) / 2);
}

double RegistryTheory::queueing_seconds_most(double load_per_second,
                                             const std::string& master) const {
  const auto depth = static_cast<double>(config_.registry.pipeline_depth);
  return std::max(commit_seconds(master) / 2 / depth, linger_seconds(load_per_second));
}

double RegistryTheory::slowest_turn_seconds(double load_per_second) const {
  const auto depth = static_cast<double>(config_.registry.pipeline_depth);
  return std::max(slowest_commit_seconds() / depth, linger_seconds(load_per_second));
}

}  // namespace photonsim::scenarios
