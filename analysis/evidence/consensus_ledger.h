// What the bytes on the replicas' disks prove about consensus: which disk accepted what, and so
// what was chosen.
//
// A vote is an acceptance that is durable in the log of its acceptor. No replica's claim counts,
// not even the proposer's about its own vote. An acceptor is a disk: when a replica's disk is
// formatted again, the new one is another acceptor. A value is chosen in a slot once the disks of a
// majority of replicas hold it at one ballot, counting of each replica the disk that is in force
// there: the one that the last chosen admission in an earlier slot names, the first one if there is
// none. An admission is chosen without the votes of the replica that it is about.
//
// Bytes that a later segment of the same log leaves out are void: their votes are taken back (no
// message ever depended on them), and bytes that arrive after such a segment never count.
//
// Nothing is forgotten: about 200 bytes per slot and 8 per operation are kept, because a restarted
// replica applies from slot 1 again and must do the same as all replicas before.
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
  std::uint64_t voters = 0;  // bit set of disks
};

struct Slot {
  std::uint64_t value = 0;            // chosen or applied first
  std::uint64_t state = 0;            // state hash after the first application
  std::uint64_t first_operation = 0;  // index into Group::operations
  std::uint32_t operations_seen = 0;
  std::uint32_t operations = 0;  // as the first SlotApplied claims
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

// A replica's disk, old or new.
struct Disk {
  std::uint32_t replica = 0;  // number of the replica here
  std::uint32_t generation = 1;
};

// What the present disk of one replica says, over all its lives.
struct Acceptor {
  // How to take back a promise (slot 0) or an acceptance that may yet turn out to be void.
  struct Undo {
    std::uint64_t slot = 0;
    std::uint64_t promised = 0;  // before it
    Acceptance accepted{};       // in its slot, before it
    Acceptance voted{};          // the vote it added; ballot 0: none
  };

  std::uint32_t disk = 0;    // index into Group::disks
  std::uint32_t member = 0;  // as the group numbers its replicas
  std::uint64_t promised = 0;
  std::vector<Acceptance> accepted;  // the last one of slot s at index s - 1; dropped ones remain
  std::uint64_t base = 0;            // the log has dropped the slots up to it
  std::uint64_t promised_above = 0;  // its highest promise when it did so
  std::uint64_t snapshot = 0;        // the disk has a snapshot of the state after this slot
  // While a chain begins: what it says again so far.
  struct Restatement {
    bool open = false;
    std::uint64_t promised = 0;
    std::vector<std::uint64_t> slots;
  } restated;
  std::uint64_t segment = 0;      // the newest of its log
  std::uint64_t chain = 0;        // the segment with which the present chain begins
  std::uint64_t offset = 0;       // of the append whose facts come now
  bool void_bytes = false;        // that append is in a segment which has been continued
  std::vector<Undo> last_append;  // an earlier one is confirmed by every later one
};

// A chosen admission: from the next slot on, `member` votes with that generation.
struct Admitted {
  std::uint64_t slot = 0;
  std::uint32_t member = 0;
  std::uint32_t generation = 0;
};

struct Group {
  std::vector<Replica> replicas;
  std::vector<Acceptor> acceptors;  // of the same numbers
  std::vector<Disk> disks;
  std::vector<Admitted> admitted;                                         // by slot; few
  boost::unordered_flat_map<std::uint64_t, Admitted, Hasher> admissions;  // by value; slot 0
  std::vector<Slot> slots;                                                // slot s at index s - 1
  std::vector<Voting> votings;  // first ballot of each slot, same index
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

  // A run that loses more disks of one group is not judged: a check fails.
  static constexpr std::size_t kMaxDisks = 64;

  ConsensusLedger(std::uint32_t groups, std::uint32_t replicas_per_group);

  // Null for a group that the configuration does not have.
  const Group* group(ShardId group) const;
  // Null before the first record about that slot.
  const Slot* slot(ShardId group, std::uint64_t slot) const;
  const Replica* replica(ShardId group, NodeId node) const;
  const Acceptor* acceptor(ShardId group, NodeId node) const;  // null for a node not seen yet
  // Null if no replica proposed or voted at that ballot in that slot.
  const Voting* voting(ShardId group, std::uint64_t slot, std::uint64_t ballot) const;
  // The operation as first applied; null if this is the first application.
  const AppliedOperation* operation(const trace::OperationApplied& applied) const;
  // False for slot 0 and for slots far beyond all that is known of a group; those are ignored.
  bool can_be(ShardId group, std::uint64_t slot) const;
  // Would these disks choose the value?
  bool is_chosen(ShardId group, std::uint64_t slot, const Voting& voting) const;
  std::uint64_t disk_of(ShardId group, NodeId node) const;  // its bit; 0 for a node not seen yet
  // Whether a replica's present disk counts: the first one, or one whose admission was chosen.
  bool votes(ShardId group, NodeId node) const;
  std::uint64_t admissions() const;  // chosen, in all groups
  // The generations in force after the slot, by member; empty for an unknown group.
  std::vector<std::uint32_t> generations_after(ShardId group, std::uint64_t slot) const;
  // Hash of that list, as a snapshot states it.
  std::uint64_t generations_hash(ShardId group, std::uint64_t slot) const;

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
  void admission(const trace::PaxosAdmission& admission);
  void restated(const trace::Header& header, const trace::PaxosLogRestated& restated);
  void formatted(const trace::Header& header, const trace::PaxosFormatted& formatted);
  void snapshot(const trace::Header& header, const trace::PaxosSnapshot& snapshot);
  void restore(const trace::Header& header, const trace::StateRestored& restored);
  std::uint32_t generation_at(const Group& group, std::uint64_t slot, std::uint32_t member) const;
  bool is_chosen(const Group& group, std::uint64_t slot, const Voting& voting) const;
  void judge(Group& group, std::uint64_t slot, const Voting& voting);
  void recount(Group& group, std::uint64_t slot);
  void admitted(Group& group, std::uint64_t slot);
  void take_back(Group& group, std::uint32_t number);
  void unvote(Group& group, std::uint32_t number, std::uint64_t slot, const Acceptance& voted);
  void propose(const trace::Header& header, const trace::PaxosAccept& accept);
  void apply(const trace::Header& header, const trace::SlotApplied& applied);
  void apply(const trace::Header& header, const trace::OperationApplied& applied);

  std::vector<Group> groups_;
  std::uint32_t replicas_;
  std::uint32_t majority_;
};

}  // namespace photon::analysis
