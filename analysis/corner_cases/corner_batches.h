// Corner cases that one slot shows when it is applied for the first time: operations that meet in a
// batch, and stamps of ids relative to the boundary and to true time.
#pragma once

#include "analysis/corner_cases/corner_case.h"
#include "analysis/corner_cases/group_history.h"

namespace photon::analysis {

class CornerBatches {
 public:
  CornerBatches(const Evidence& evidence, GroupHistory& groups, CornerCounts& counts)
      : evidence_(evidence), groups_(groups), counts_(counts) {}

  void on_fact(const Fact& fact);

 private:
  void on_operation(const Fact& fact);
  void on_slot(const Fact& fact);
  void on_boundary(const Fact& fact);
  void on_answer(const Fact& fact);
  void on_look_up(const Fact& fact);
  // The inserts of one id in the slot, in order.
  void judge_id(const GroupTerm& group, std::size_t first);

  const Evidence& evidence_;
  GroupHistory& groups_;
  CornerCounts& counts_;
  boost::unordered_flat_map<RequestKey, SimTime, RequestHasher> looked_up_;  // at a server
  struct Move {
    NodeId master{kNoNode};
    std::int64_t after_boundary = 0;  // boundary + N, relative to true time at the proposal, ns
  };
  DenseTable<ShardId, Move> moves_;        // the last one
  DenseTable<ShardId, Proposal> batches_;  // applied last, with operations
};

}  // namespace photon::analysis
