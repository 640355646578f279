// J-S6: consensus.
// From message facts, and from what a proposer states of its own durable vote: an acceptor never
// promises or accepts below a promise it has stated, across restarts; a promise reports, for every
// slot from `from_slot` on, the highest acceptance that its sender stated before (or the chosen
// value); a ballot proposes one value per slot; at most one value is chosen in a slot.
// From decisions, matched with that evidence: a replica's life applies slots 1, 2, 3, ... without
// gaps; the value it applies has a majority of distinct acceptors at one ballot and is the same on
// all replicas; so are the state hash after the slot and the outcome of every operation.
// Forgotten: nothing (about 100 bytes per slot and acceptor); see consensus_ledger.h.
#pragma once

#include <vector>

#include "analysis/oracle.h"

namespace photon::analysis {

class Consensus final : public Oracle {
 public:
  Consensus(const Evidence& evidence, ViolationLog& log) : Oracle("J-S6", evidence, log) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Acceptance {
    std::uint64_t ballot = 0;
    std::uint64_t value = 0;
  };
  // What one acceptor has stated in its messages, over all its lives.
  struct Acceptor {
    NodeId node{};
    std::uint64_t promised = 0;
    std::vector<Acceptance> accepted;  // slot s at index s - 1; ballot 0: nothing stated
    // The promise whose reports are coming in.
    std::uint64_t open_ballot = 0;
    std::uint64_t open_from = 0;
    std::uint64_t open_reports = 0;
    bool open = false;
    std::vector<trace::PaxosReported> reports;
  };
  struct Progress {
    NodeId node{};
    Incarnation life{};
    std::uint64_t applied = 0;
  };
  struct GroupState {
    std::vector<Acceptor> acceptors;
    std::vector<Progress> progress;
  };

  GroupState* group_of(trace::GroupId group);
  static Acceptor& acceptor_of(GroupState& group, NodeId node);
  void on_promise(const Fact& fact);
  void on_reported(const Fact& fact);
  void close_promise(const Fact& fact, trace::GroupId group, Acceptor& acceptor);
  void on_accept(const Fact& fact);
  void on_accepted(const Fact& fact);
  void on_slot(const Fact& fact);
  void on_operation(const Fact& fact);
  void fail(const Fact& fact, std::string message) { report(fact, EventId{}, std::move(message)); }

  static constexpr std::array kKinds = {trace::Kind::paxos_promise, trace::Kind::paxos_reported,
                                        trace::Kind::paxos_accept,  trace::Kind::paxos_accepted,
                                        trace::Kind::slot_applied,  trace::Kind::operation_applied};

  std::vector<GroupState> groups_;
};

}  // namespace photon::analysis
