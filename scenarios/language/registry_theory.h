// The registry of a configuration in the terms of queueing theory: where its masters are, how long
// a transaction commits, how long an operation waits.
//
// First-order, as predicted_use.h: means, no faults, no repetitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/theory/group_commit.h"
#include "analysis/theory/quorum.h"
#include "scenarios/config/config.h"
#include "scenarios/config/config_distances.h"

namespace photonsim::scenarios {

// Of the lognormal distribution with this median and 99th percentile.
double lognormal_mean_seconds(Duration median, Duration p99);

class RegistryTheory {
 public:
  explicit RegistryTheory(const Config& config);

  // The datacenters of the masters, by shard.
  const std::vector<std::string>& masters() const { return masters_; }
  double shards() const { return static_cast<double>(masters_.size()); }

  // From the proposal to the majority's answer: a round trip and a follower's sync.
  double commit_seconds(const std::string& master) const;
  double slowest_commit_seconds() const;
  // Inserts that fit into the bytes of one transaction.
  std::uint64_t inserts_that_fit() const;
  // Look-ups wait in the queue of inserts.
  bool queues_lookups() const;
  // Between a pipeline and a master, both ways.
  double trip_seconds(const std::string& pipeline, const std::string& master) const;
  // To the replica that answers the look-ups of a pipeline, where replicas do.
  double nearest_trip_seconds(const std::string& pipeline) const;
  // Of the jitter of two messages.
  double jitter_seconds() const;

  // What comes to one shard, of a load of clicks or operations: inserts make transactions, look-ups
  // only wait for them. At least: pipelines that ask before they join share the clicks.
  double inserts_per_second(double load_per_second) const;
  // At most: inserts of all pipelines, and the look-ups that go through the queue.
  double queued_per_second(double load_per_second) const;
  // Inserts, and the look-ups that the master answers.
  double requests_per_second(double load_per_second) const;
  // Look-ups of one pipeline at one shard.
  double lookups_of_pipeline(double load_per_second) const;

  photon::analysis::theory::CommitLoad commit_load(double load_per_second,
                                                   const std::string& master) const;
  // What an operation waits for its transaction, or a queued look-up for its batch: half a
  // transaction on average while one is under way, or half of registry.linger.
  double queueing_seconds(double load_per_second, const std::string& master) const;
  // At most on average: one is always under way, or all wait as long as the first.
  double queueing_seconds_most(double load_per_second, const std::string& master) const;
  // From one batch to the next: a transaction, of which several may be under way, or
  // registry.linger, which pass at the same time.
  double slowest_turn_seconds(double load_per_second) const;

  // The mean of a value over the masters of the shards.
  template <class Function>
  double mean_of_shards(Function&& value) const {
    double sum = 0;
    for (const std::string& master : masters_) sum += value(master);
    return sum / shards();
  }

 private:
  double pipelines() const;
  std::string master_of(std::size_t shard) const;
  double commit_of(const std::string& master) const;
  double lookups_per_second(double load_per_second) const;
  double linger_seconds(double load_per_second) const;

  const Config& config_;
  RoundTrips trips_;
  std::vector<std::string> masters_{};
  std::map<std::string, double> commits_{};  // seconds, by the place of the master
};

// Operations of the registry's clients for each one that workload.registry.rate states: its inserts
// bring those of rivals, repetitions and what follows them.
double operations_for_each(const Config& config);

}  // namespace photonsim::scenarios
