// The garbage boundary moves on (SPEC B-68, B-62), and what lies below it goes (J-P5): at the end
// of a run that was healed, the boundary of a shard that could move it is not further behind true
// time - N than the deployment promises (JudgeConfig::boundary_bound), and no id is stored that has
// been below it for longer than JudgeConfig::collect_bound. Garbage that stays is no danger, and no
// oracle of safety sees it: nothing is ever forgotten, and memory grows.
//
// A shard could do so for certain if, for longer than the bound,
//   * one replica was its master, without a break;
//   * no process was down, nothing was cut off or out, and whatever other fault ever had an effect
//     was over (Phase::faults_ended);
//   * no batch of it left anybody waiting, so that no queue holds the next move up.
// Of all others nothing is demanded: a run may end sooner than one period.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/evidence/dense_table.h"
#include "analysis/evidence/evidence.h"
#include "analysis/oracles/oracle.h"
#include "analysis/oracles/violation.h"

namespace photon::analysis {

class BoundaryWatch {
 public:
  BoundaryWatch(const Evidence& evidence, ViolationLog& log) : evidence_(evidence), log_(log) {}

  // Takes one record in; called before the evidence takes it.
  void on_fact(const Fact& fact);
  // At the end of the trace.
  void finish(bool demanded);

  // Shards that were held to the bound; after finish().
  std::uint32_t held() const { return held_; }
  // Of them: those whose garbage had to be gone (J-P5).
  std::uint32_t emptied() const { return emptied_; }

 private:
  struct Shard {
    NodeId master{kNoNode};
    SimTime since{};    // it is master
    SimTime crowded{};  // a batch left somebody waiting
    // Ids that are stored, by the time of their stamps: for each period that has any, how many.
    std::map<std::int64_t, std::int64_t> stored{};
    // Every replica states what a collection removed. Whose word counts: who said so first.
    std::uint64_t collected_slot = 0;
    NodeId collector{kNoNode};
    Incarnation collector_life{};
  };

  void ended(NodeId master);
  void on_applied(const Fact& fact);
  void store(Shard& shard, const EventId& id, std::int64_t count);
  std::int64_t period() const;  // of Shard::stored, in nanoseconds
  void check_boundary(ShardId number, NodeId master, SimTime since);
  void check_garbage(ShardId number, const Shard& shard, SimTime since);
  SimTime calm_since() const;

  const Evidence& evidence_;
  ViolationLog& log_;
  DenseTable<ShardId, Shard> shards_;
  SimTime healed_at_ = kNever;
  bool faults_ = false;  // some had an effect
  std::uint32_t held_ = 0;
  std::uint32_t emptied_ = 0;
};

}  // namespace photon::analysis
