// Which processes and places may fail in a generated configuration, and when. Keeps it in its tier.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/swarm/rng.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

class Targets {
 public:
  // `config` must outlive it. The weak datacenters depend on the seed alone.
  Targets(const Config& config, std::uint64_t seed);

  // A datacenter that may fail as a whole; some of those; all datacenters but the given ones.
  std::string place(Rng& rng) const { return rng.of(weak_); }
  std::vector<std::string> places(Rng& rng) const;
  std::vector<std::string> others(const std::vector<std::string>& places) const;
  // Its region if that has several datacenters and all of them may fail; else
  // the datacenter itself.
  std::string region_of(const std::string& place) const;
  // A datacenter with a pipeline.
  std::string pipeline(Rng& rng) const { return rng.of(config_.topology.pipelines); }

  // A replica of a shard; one that may lose its disk.
  std::string replica(Rng& rng) const { return replica_at(rng, config_.registry.replicas); }
  std::string fragile_replica(Rng& rng) const { return replica_at(rng, fragile_); }
  bool has_fragile() const { return !fragile_.empty(); }

  std::string process(Rng& rng) const;
  // "joiner", "us-east1/joiner", "registry/2", a datacenter, ...
  std::string party(Rng& rng) const;
  std::string joiner(Rng& rng) const { return in_pipeline(rng, "joiner"); }
  std::string cache(Rng& rng) const { return in_pipeline(rng, "cache"); }
  std::string process_at(const std::string& place, const std::string& role, Rng& rng) const;
  // A process that restarts from what is stored there: the replica itself, or one beside a cell.
  std::string reads_disk_of(const std::string& where, Rng& rng) const;
  bool has_logs() const { return !config_.registry_only(); }

  // Starts while clicks are generated, and ends soon after.
  Duration when(Rng& rng) const;
  // While something lasts, and clicks are generated.
  Duration within(Duration at, Duration lasting, Rng& rng) const;
  // Near a change of the number of shards if there is one; else at any time.
  Duration about_a_reshard(Rng& rng) const;
  // What clock faults may use of epsilon; for how long a clock may drift without TrueTime.
  Duration clock_room() const;
  Duration longest_outage() const;

 private:
  std::string replica_at(Rng& rng, const std::vector<std::string>& places) const;
  std::vector<std::string> roles() const;
  std::uint64_t count_of(const std::string& role) const;
  std::string in_pipeline(Rng& rng, const std::string& role) const;

  const Config& config_;
  std::vector<std::string> weak_;     // datacenters that may fail at the same time
  std::vector<std::string> fragile_;  // their replicas may lose their disks
};

}  // namespace photonsim::scenarios::swarm
