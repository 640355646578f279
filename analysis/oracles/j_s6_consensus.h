// J-S6: consensus.
// From the bytes on the replicas' disks (consensus_ledger.h): a log never promises or accepts below
// an earlier promise of its own, across restarts; a ballot has one value per slot; at most one
// value is chosen in a slot, by the disks in force there; a new chain of segments repeats
// everything that the log held above its base, and the disk has a snapshot of the rest; a snapshot
// has the state, and the generations, that all replicas have after its slot; no segment of the
// present chain is removed. From message facts, matched with the disks: an acceptor states no
// promise and no acceptance that is not durable in its log (or chosen, and in its snapshot); a
// promise reports, for every slot from `from_slot` on, the last acceptance on its sender's disk (or
// the chosen value); a ballot proposes one value per slot. From decisions, matched with that
// evidence: a replica's life applies slots without gaps, from 1 or from the snapshot on its disk;
// the value it applies is chosen, by the durable votes of a majority of distinct acceptors at one
// ballot; the state hash after the slot, applied or restored, and the outcome of every operation
// are the same on all replicas.
//
// Cannot see: errors that are the same on all replicas (J-S3, J-S8, J-S9 and J-S13 check the
// contents), and a state whose hash is false; a snapshot counts by the hash that its bytes state.
#pragma once

#include <vector>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Consensus final : public Oracle {
 public:
  explicit Consensus(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // The promise of one acceptor whose reports are arriving.
  struct OpenPromise {
    NodeId node{};
    std::uint64_t disk = 0;    // the disk that made these promises
    std::uint64_t stated = 0;  // the highest promise in a message, over all lives
    std::uint64_t ballot = 0;
    std::uint64_t from = 0;
    std::uint64_t reports_due = 0;
    bool open = false;
    std::vector<trace::PaxosReported> reports;
  };
  struct Progress {
    NodeId node{};
    Incarnation life{};
    std::uint64_t applied = 0;
  };
  struct GroupState {
    std::vector<OpenPromise> promises;
    std::vector<Progress> progress;
  };

  GroupState* group_of(trace::GroupId group);
  OpenPromise& promise_of(trace::GroupId id, GroupState& group, NodeId node);
  static Progress& progress_of(GroupState& group, const trace::Header& header);
  void on_promise(const Fact& fact);
  void on_reported(const Fact& fact);
  void close_promise(const Fact& fact, trace::GroupId group, OpenPromise& promise);
  void on_accept(const Fact& fact);
  void on_accepted(const Fact& fact);
  void on_durable_promise(const Fact& fact);
  void on_durable_acceptance(const Fact& fact);
  void on_restated(const Fact& fact);
  void on_removed(const Fact& fact);
  void on_snapshot(const Fact& fact);
  void on_restored(const Fact& fact);
  void check_one_choice(const Fact& fact, const trace::PaxosAccepted& accepted);
  void on_slot(const Fact& fact);
  void on_operation(const Fact& fact);
  void fail(const Fact& fact, std::string message) { report(fact, EventId{}, std::move(message)); }

  static constexpr Interest kKinds[] = {
      trace::Kind::paxos_promise,      trace::Kind::paxos_reported,
      trace::Kind::paxos_accept,       trace::Kind::paxos_accepted,
      trace::Kind::slot_applied,       trace::Kind::operation_applied,
      trace::Kind::paxos_log_restated, trace::Kind::paxos_log_removed,
      trace::Kind::paxos_snapshot,     trace::Kind::state_restored};

  std::vector<GroupState> groups_;

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
