// The state of the consensus groups for the detectors of corner cases: the present term, the
// proposals under way, the operations of the present slot.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/evidence/dense_table.h"
#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact.h"

namespace photon::analysis {

struct Proposal {
  NodeId master{kNoNode};
  std::uint64_t slot = 0;
  std::uint64_t term = 0;
  std::uint32_t queued_after = 0;  // operations that did not fit into it
  SimTime at{};
};

// One operation of the present slot, as first applied.
struct SlotOperation {
  trace::OperationApplied applied{};
  std::uint32_t event = kNoIndex;
};

struct GroupTerm {
  std::uint64_t term = 0;  // number of ended masterships: stepped down, dead, or replaced
  NodeId master{kNoNode};  // the last one elected
  bool vacant = true;
  std::vector<Proposal> proposals{};        // not applied by any replica yet, oldest first
  std::vector<SlotOperation> operations{};  // of the slot that is being applied first
  std::vector<EventId> previous{};          // ids of the slot with operations before it
  std::uint64_t previous_slot = 0;
  std::vector<NodeId> replicas{};
  std::vector<DatacenterId> places{};  // of the replicas
};

class GroupHistory {
 public:
  explicit GroupHistory(const Evidence& evidence) : evidence_(evidence) {}

  // Before the detectors see the record, and after.
  void before(const Fact& fact);
  void after(const Fact& fact);

  GroupTerm& of(ShardId group) { return groups_[group]; }
  // The group of a replica; nothing for any other process.
  std::optional<ShardId> group_of(NodeId replica) const;
  // Is this record the first application of its slot in its group?
  bool is_first(ShardId group, std::uint64_t slot) const {
    const Slot* known = evidence_.registry().consensus().slot(group, slot);
    return known == nullptr || !known->applied;
  }
  // The latest proposal for that slot that is under way; null if there is none.
  static const Proposal* proposal(const GroupTerm& group, std::uint64_t slot);

 private:
  void member(ShardId group, const trace::Header& header);
  static void vacate(GroupTerm& group);

  const Evidence& evidence_;
  DenseTable<ShardId, GroupTerm> groups_;
  DenseTable<NodeId, std::uint32_t> group_of_node_;  // number + 1; 0: none
};

}  // namespace photon::analysis
