// Whom faults may strike in a world of the swarm, and when: what keeps a world in its tier.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/swarm/dice.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

class Targets {
 public:
  // The world must outlive it. Who is weak depends on the seed alone.
  Targets(const Config& config, std::uint64_t seed);

  // A datacenter that may fail as a whole; some of them; and all but those.
  std::string place(Dice& dice) const { return dice.of(weak_); }
  std::vector<std::string> places(Dice& dice) const;
  std::vector<std::string> others(const std::vector<std::string>& places) const;
  // Its region, if all of that may fail as a whole and holds more than this one; else itself.
  std::string region_of(const std::string& place) const;
  // A datacenter with a pipeline.
  std::string pipeline(Dice& dice) const { return dice.of(config_.topology.pipelines); }

  // Of a registry's shard; of those that may lose their disk.
  std::string replica(Dice& dice) const { return replica_at(dice, config_.registry.replicas); }
  std::string fragile_replica(Dice& dice) const { return replica_at(dice, fragile_); }
  bool has_fragile() const { return !fragile_.empty(); }

  std::string process(Dice& dice) const;
  // "joiner", "us-east1/joiner", "registry/2", a datacenter, ...
  std::string party(Dice& dice) const;
  std::string joiner(Dice& dice) const { return in_pipeline(dice, "joiner"); }
  std::string cache(Dice& dice) const { return in_pipeline(dice, "cache"); }
  std::string process_at(const std::string& place, const std::string& role, Dice& dice) const;
  // A process that starts anew by what is stored there: a replica itself, or one beside a cell.
  std::string reads_disk_of(const std::string& where, Dice& dice) const;
  bool has_logs() const { return !config_.registry_only(); }

  // Begins while clicks are generated, is over soon after.
  Duration when(Dice& dice) const;
  // While something lasts, and clicks are generated.
  Duration within(Duration at, Duration lasting, Dice& dice) const;
  // Around a change of the number of shards, if there is one: else it is like any other time.
  Duration about_a_reshard(Dice& dice) const;
  // What is left of epsilon for what is done to a clock; and for how long it may drift on.
  Duration clock_room() const;
  Duration longest_outage() const;

 private:
  std::string replica_at(Dice& dice, const std::vector<std::string>& places) const;
  std::vector<std::string> roles() const;
  std::uint64_t count_of(const std::string& role) const;
  std::string in_pipeline(Dice& dice, const std::string& role) const;

  const Config& config_;
  std::vector<std::string> weak_;     // datacenters that may fail, together
  std::vector<std::string> fragile_;  // whose replicas may lose their disk
};

}  // namespace photonsim::scenarios::swarm
