// Which processes and places may fail in a generated configuration, and when. Keeps it in its tier.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/faults/draws.h"

namespace photonsim::scenarios::swarm {

class Targets {
 public:
  // The configuration must outlive it. `draws` choose the datacenters that may fail.
  Targets(const Config& config, Draws& draws);

  // A datacenter that may fail as a whole; some of those; all datacenters but the given ones.
  std::string place(Draws& draws) const { return draws.of(weak_); }
  std::vector<std::string> places(Draws& draws) const;
  std::vector<std::string> others(const std::vector<std::string>& places) const;
  // Its region if that has several datacenters and all of them may fail; else
  // the datacenter itself.
  std::string region_of(const std::string& place) const;
  // A datacenter with a pipeline.
  std::string pipeline(Draws& draws) const { return draws.of(config_.topology.pipelines); }

  // A replica of a shard; one that may lose its disk.
  std::string replica(Draws& draws) const { return replica_at(draws, config_.registry.replicas); }
  std::string fragile_replica(Draws& draws) const { return replica_at(draws, fragile_); }
  bool has_fragile() const { return !fragile_.empty(); }

  std::string process(Draws& draws) const;
  // "joiner", "us-east1/joiner", "registry/2", a datacenter, ...
  std::string party(Draws& draws) const;
  std::string joiner(Draws& draws) const { return in_pipeline(draws, "joiner"); }
  std::string cache(Draws& draws) const { return in_pipeline(draws, "cache"); }
  std::string process_at(const std::string& place, const std::string& role, Draws& draws) const;
  // A process that restarts from what is stored there: the replica itself, or one beside a cell.
  std::string reads_disk_of(const std::string& where, Draws& draws) const;
  bool has_logs() const { return !config_.registry_only(); }

  // Starts while clicks are generated, and ends soon after.
  Duration when(Draws& draws) const;
  // While something lasts, and clicks are generated.
  Duration within(Duration at, Duration lasting, Draws& draws) const;
  // Near a change of the number of shards if there is one; else at any time.
  Duration about_a_reshard(Draws& draws) const;
  // The part of epsilon that clock faults may use; how long a clock may drift without TrueTime.
  Duration clock_room() const;
  Duration longest_outage() const;

 private:
  std::string replica_at(Draws& draws, const std::vector<std::string>& places) const;
  std::vector<std::string> roles() const;
  std::uint64_t count_of(const std::string& role) const;
  std::string in_pipeline(Draws& draws, const std::string& role) const;

  const Config& config_;
  std::vector<std::string> weak_;     // datacenters that may fail at the same time
  std::vector<std::string> fragile_;  // their replicas may lose their disks
};

}  // namespace photonsim::scenarios::swarm
