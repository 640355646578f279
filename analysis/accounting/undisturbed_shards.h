// Since when the master of each shard has been able to do its work: the obligations of a shard at
// the end of a run (B-68, J-P5) hold only if it was undisturbed for long enough.
//
// A shard is undisturbed while
//   * one replica is its master, without a break;
//   * no process is down, no partition or outage is in force, and any other fault that ever took
//     effect is over (Phase::faults_ended);
//   * no batch of it leaves an operation waiting, so that no queue delays the next move.
#pragma once

#include <optional>

#include "analysis/evidence/dense_table.h"
#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"

namespace photon::analysis {

class UndisturbedShards final : public FactReader {
 public:
  explicit UndisturbedShards(const Evidence& evidence) : evidence_(evidence) {}

  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

  struct Master {
    NodeId node{kNoNode};
    SimTime since{};  // it has been undisturbed
  };
  // Nothing if the shard has no master, or is disturbed now.
  std::optional<Master> master_of(ShardId shard) const;

 private:
  static constexpr Interest kKinds[] = {trace::Kind::master_elected,  trace::Kind::master_ended,
                                        trace::Kind::process_crashed, trace::Kind::batch_proposed,
                                        trace::Kind::fault_effect,    trace::Kind::clock_stepped,
                                        trace::Kind::run_phase};

  struct Shard {
    NodeId master{kNoNode};
    SimTime since{};    // it is master
    SimTime crowded{};  // a batch left an operation waiting
  };

  SimTime fault_free_since() const;

  const Evidence& evidence_;
  DenseTable<ShardId, Shard> shards_;
  SimTime healed_at_ = kNever;
  bool faults_ = false;  // some had an effect
};

}  // namespace photon::analysis
