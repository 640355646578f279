// What the bytes on the replicas' disks prove about consensus: who accepted what, and so what was
// chosen.
//
// A vote is an acceptance that is durable in the log of its acceptor; nobody's word is needed, not
// even the proposer's about its own. A value is chosen in a slot once a majority of distinct
// acceptors holds it at one ballot. Bytes that a later segment of the same log leaves out are void:
// their votes are taken back (no message ever rested on them), and bytes that arrive behind such a
// segment never count.
//
// Nothing is forgotten: about 200 bytes per slot and 8 per operation are kept, because a restarted
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
  std::uint64_t ballot = 0;  // 0: none yet
  std::uint64_t value = 0;
  std::uint32_t voters = 0;  // bit set of replica numbers
};

struct Slot {
  std::uint64_t value = 0;            // chosen or applied first
  std::uint64_t state = 0;            // state hash after the first application
  std::uint64_t first_operation = 0;  // index into Group::operations
  std::uint32_t operations_seen = 0;
  std::uint32_t operations = 0;  // as the first SlotApplied claims
  std::uint32_t applied_by = 0;  // bit set of replica numbers, any life
  bool chosen = false;           // by a majority of durable votes
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

struct Acceptance {
  std::uint64_t ballot = 0;  // 0: nothing accepted
  std::uint64_t value = 0;
};

// What the disk of one replica says, over all its lives.
struct Acceptor {
  // How to take back a promise (slot 0) or an acceptance that may yet turn out to be void.
  struct Undo {
    std::uint64_t slot = 0;
    std::uint64_t promised = 0;  // before it
    Acceptance accepted{};       // in its slot, before it
    Acceptance voted{};          // the vote it added; ballot 0: none
  };

  std::uint64_t promised = 0;
  std::vector<Acceptance> accepted;  // the last one of slot s at index s - 1
  std::uint64_t segment = 0;         // the newest of its log
  std::uint64_t offset = 0;          // of the append whose facts come now
  bool void_bytes = false;           // that append is in a segment which has been continued
  std::vector<Undo> last_append;     // an earlier one is confirmed by every later one
};

struct Group {
  std::vector<Replica> replicas;
  std::vector<Acceptor> acceptors;  // of the same numbers
  std::vector<Slot> slots;          // slot s at index s - 1
  std::vector<Voting> votings;      // first ballot of each slot, same index
  std::vector<std::pair<std::uint64_t, Voting>> more_votings;  // (slot, later ballots), few
  std::vector<AppliedOperation> operations;
  boost::unordered_flat_map<std::uint64_t, AppliedOperation, Hasher> stray_operations;
  std::uint64_t highest_chosen = 0;
};

class ConsensusLedger {
 public:
  // Slots are filled one after the other; a record that leaves out more of them than this cannot be
  // true, and would only cost memory.
  static constexpr std::uint64_t kMaxGap = std::uint64_t{1} << 20U;

  ConsensusLedger(std::uint32_t groups, std::uint32_t majority);

  // Null for a group that the configuration does not have.
  const Group* group(ShardId group) const;
  // Null before the first record about that slot.
  const Slot* slot(ShardId group, std::uint64_t slot) const;
  const Replica* replica(ShardId group, NodeId node) const;
  const Acceptor* acceptor(ShardId group, NodeId node) const;  // null for a node not seen yet
  // Null if nobody proposed or voted at that ballot in that slot.
  const Voting* voting(ShardId group, std::uint64_t slot, std::uint64_t ballot) const;
  // The operation as first applied; null if this is the first application.
  const AppliedOperation* operation(const trace::OperationApplied& applied) const;
  bool is_majority(std::uint32_t acceptors) const;
  // False for slot 0 and for slots far beyond all that is known of a group; those are ignored.
  bool can_be(ShardId group, std::uint64_t slot) const;
  std::uint32_t bit_of(ShardId group, NodeId node) const;  // 0 for a node not seen yet

  void absorb(const trace::Record& record);

 private:
  Group* find(ShardId group);
  Slot& slot_of(Group& group, std::uint64_t slot);
  std::uint32_t number_of(Group& group, const trace::Header& header);
  Voting& voting_of(Group& group, std::uint64_t slot, std::uint64_t ballot, std::uint64_t value);
  void write(const trace::Header& header, const trace::PaxosLogWritten& written);
  void promise(const trace::Header& header, const trace::PaxosPromise& promise);
  void accept(const trace::Header& header, const trace::PaxosAccepted& accepted);
  bool vote(Group& group, std::uint32_t number, const trace::PaxosAccepted& accepted);
  void take_back(Group& group, std::uint32_t number);
  void unvote(Group& group, std::uint32_t number, std::uint64_t slot, const Acceptance& voted);
  void propose(const trace::Header& header, const trace::PaxosAccept& accept);
  void apply(const trace::Header& header, const trace::SlotApplied& applied);
  void apply(const trace::Header& header, const trace::OperationApplied& applied);

  std::vector<Group> groups_;
  std::uint32_t majority_;
};

}  // namespace photon::analysis
