// The garbage boundary moves on (SPEC B-68, B-62): at the end of a run that was healed, the
// boundary of a shard that could move it is not further behind true time - N than the deployment
// promises (JudgeConfig::boundary_bound). A boundary that stands still is no danger, and no oracle
// of safety sees it: nothing is ever forgotten, and memory grows.
//
// A shard could move it for certain if, for longer than that bound,
//   * one replica was its master, without a break;
//   * no process was down, nothing was cut off or out, and whatever other fault ever had an effect
//     was over (Phase::faults_ended);
//   * no batch of it left anybody waiting, so that no queue holds the next move up.
// Of all others nothing is demanded: a run may end sooner than one period.
#pragma once

#include <vector>

#include "analysis/dense_table.h"
#include "analysis/evidence.h"
#include "analysis/oracle.h"
#include "analysis/violation.h"

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

 private:
  struct Shard {
    NodeId master{kNoNode};
    SimTime since{};    // it is master
    SimTime crowded{};  // a batch left somebody waiting
  };

  void ended(NodeId master);
  SimTime calm_since() const;

  const Evidence& evidence_;
  ViolationLog& log_;
  DenseTable<ShardId, Shard> shards_;
  SimTime healed_at_ = kNever;
  bool faults_ = false;  // some had an effect
  std::uint32_t held_ = 0;
};

}  // namespace photon::analysis
