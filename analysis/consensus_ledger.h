// What message facts prove about consensus: which node accepted what, and so what was chosen.
//
// A value is chosen in a slot once a majority of distinct acceptors has accepted it at one ballot.
// An acceptor that said so (PaxosAccepted) is proven. The proposer of a ballot
// (sender of PaxosAccept) may count its own acceptance without a message; it is *implied*: with it
// a majority makes an application believable, but never by itself makes a value chosen.
//
// Nothing is forgotten: about 100 bytes per slot and 8 per operation are kept, because a restarted
// replica applies from slot 1 again and must do the same as everybody did before.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core_impl/base/hash.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/trace/consensus.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

// One operation as the first replica to apply its slot did it.
struct AppliedOperation {
  std::uint64_t digest = 0;  // of id, token, operation, code, fresh

  static AppliedOperation of(const trace::OperationApplied& operation);
};

// All ballots of one slot: usually one.
struct Voting {
  std::uint64_t ballot = 0;
  std::uint64_t value = 0;
  std::uint32_t proven = 0;   // bit set of replica numbers
  std::uint32_t implied = 0;  // the proposer
};

struct Slot {
  std::uint64_t value = 0;            // chosen or applied first
  std::uint64_t state = 0;            // state hash after the first application
  std::uint64_t first_operation = 0;  // index into Group::operations
  std::uint32_t operations_seen = 0;
  std::uint32_t operations = 0;  // as the first SlotApplied claims
  std::uint32_t applied_by = 0;  // bit set of replica numbers, any life
  bool chosen = false;           // by a proven majority
  bool applied = false;          // by some replica
};

// A replica's progress in its present life.
struct Replica {
  NodeId node{};
  Incarnation life{};
  std::uint64_t applied = 0;        // highest slot of SlotApplied in this life
  std::uint64_t operations_of = 0;  // highest slot of OperationApplied in this life
  std::uint64_t position() const { return applied > operations_of ? applied : operations_of; }
};

struct Group {
  std::vector<Replica> replicas;
  std::vector<Slot> slots;      // slot s at index s - 1
  std::vector<Voting> votings;  // first ballot of each slot, same index
  std::vector<std::pair<std::uint64_t, Voting>> more_votings;  // (slot, later ballots), few
  std::vector<AppliedOperation> operations;
  boost::unordered_flat_map<std::uint64_t, AppliedOperation, Hasher> stray_operations;
  std::uint64_t highest_chosen = 0;
};

// An acceptor states its acceptance in a message; a proposer, who needs no message to itself, in a
// decision once its own acceptance is durable.
inline bool states_acceptance(const trace::Header& header) {
  return header.source == trace::Source::sent || header.source == trace::Source::decision;
}

class ConsensusLedger {
 public:
  static constexpr std::uint64_t kMaxSlot = std::uint64_t{1} << 32U;

  ConsensusLedger(std::uint32_t groups, std::uint32_t majority);

  // Null for a group that the configuration does not have.
  const Group* group(ShardId group) const;
  // Null before the first record about that slot.
  const Slot* slot(ShardId group, std::uint64_t slot) const;
  const Replica* replica(ShardId group, NodeId node) const;
  // Null if nobody voted at that ballot in that slot.
  const Voting* voting(ShardId group, std::uint64_t slot, std::uint64_t ballot) const;
  // True if some ballot of the slot has `value` and a majority, the implied acceptance included.
  bool believable(ShardId group, std::uint64_t slot, std::uint64_t value) const;
  // The operation as first applied; null if this is the first application.
  const AppliedOperation* operation(const trace::OperationApplied& applied) const;
  bool is_majority(std::uint32_t acceptors) const;
  std::uint32_t bit_of(ShardId group, NodeId node) const;  // 0 for a node not seen yet

  void absorb(const trace::Record& record);

 private:
  Group* find(ShardId group);
  Slot& slot_of(Group& group, std::uint64_t slot);
  Replica& replica_of(Group& group, const trace::Header& header);
  Voting& voting_of(Group& group, std::uint64_t slot, std::uint64_t ballot, std::uint64_t value);
  void vote(const trace::Header& header, const trace::PaxosAccepted& accepted);
  void propose(const trace::Header& header, const trace::PaxosAccept& accept);
  void apply(const trace::Header& header, const trace::SlotApplied& applied);
  void apply(const trace::Header& header, const trace::OperationApplied& applied);

  std::vector<Group> groups_;
  std::uint32_t majority_;
};

}  // namespace photon::analysis
