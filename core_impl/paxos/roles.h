// What a replica is besides an acceptor and a learner: follower, candidate or master.
//
// Invariant: a candidate or master whose ballot is below the acceptor's promise has been deposed;
// the replica turns it into a follower in the same step.
#pragma once

#include <optional>
#include <variant>

#include "core_impl/paxos/generations.h"
#include "core_impl/paxos/handover.h"
#include "core_impl/paxos/lease.h"
#include "core_impl/paxos/log_record.h"
#include "core_impl/paxos/messages.h"

namespace photon::paxos {

struct Follower {
  Ballot following{};            // ballot of the master heard last; 0: none
  MonotonicTime election_due{};  // stands for election then

  friend bool operator==(const Follower&, const Follower&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.following, self.election_due);
  }
};

// Phase 1 of `ballot`: collects promises and, per slot, the reported value of the highest ballot.
struct Candidate {
  Ballot ballot{};
  Slot from_slot = 0;
  Slot chosen_through = 0;              // the furthest that any promise knows
  PooledVector<Generation> promises{};  // of replica i at [i]: that of its promise; 0: none yet
  MonotonicTime resend_due{};
  PooledVector<LogEntry> reported{};  // ballot 0: not reported
  Ballot released{};                  // whose master handed over to this replica; 0: none

  // Takes a promise in; a repeated one changes nothing. If a replica lost its disk meanwhile, the
  // promise of the newer disk counts.
  void add(ReplicaIndex from, const Promise& promise);
  // Do the promises allow proposing? `in_force`: generations after slot from_slot - 1. The
  // generations after chosen_through must have a majority, and so must those after an admission
  // that follows.
  bool is_elected(const Config& config, Generations in_force) const;

  friend bool operator==(const Candidate&, const Candidate&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.ballot, self.from_slot, self.chosen_through, self.promises, self.resend_due,
          self.reported, self.released);
  }

 private:
  bool has_majority(const Config& config, const Generations& in_force) const;
};

// A slot that is proposed and not known to be chosen.
struct OpenSlot {
  ReplicaSet accepted{};
  MonotonicTime resend_due{};

  friend bool operator==(const OpenSlot&, const OpenSlot&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.accepted, self.resend_due);
  }
};

enum class Serving : std::uint8_t { no, yes };

// The last batch of chosen values sent to a lagging follower: not sent twice in a row.
struct CatchUp {
  Slot through = 0;
  MonotonicTime resend_due{};

  friend bool operator==(const CatchUp&, const CatchUp&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.through, self.resend_due);
  }
};

// Phase 2 of `ballot`. It serves once it has a lease and has applied every slot up to `barrier`,
// the last one that may have been chosen before its election (B-13).
struct Master {
  Ballot ballot{};
  Slot barrier = 0;
  Serving serving = Serving::no;
  MonotonicTime heartbeat_due{};
  MonotonicTime serving_due{};                       // gives up if it does not serve by then
  MonotonicTime lease_until = MonotonicTime::min();  // what it claims; moves in coarse steps
  LeaseCount grants{};
  PooledVector<OpenSlot> open{};         // slot s at [s - commit - 1]
  PooledVector<CatchUp> catch_up{};      // per replica
  ReplicaSet up_to_date{};               // replicas whose last answer asked for nothing
  std::optional<Admission> admission{};  // to be proposed as soon as no slot is open
  Handover handover{};                   // while pending, nothing is proposed
  Fitness preferred{};                   // of the preferred master, if that is another replica
  // What the last heartbeat said is chosen: less than the commit index once later values are. Only
  // Replica::idle_rounds asks; not among the fields below, since no step depends on it.
  Slot announced = 0;

  friend bool operator==(const Master&, const Master&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.ballot, self.barrier, self.serving, self.heartbeat_due, self.serving_due,
          self.lease_until, self.grants, self.open, self.catch_up, self.up_to_date, self.handover,
          self.preferred);
    const Admission admission = self.admission.value_or(Admission{kNoReplica, Generation{}});
    visit(admission);
  }
};

using Role = std::variant<Follower, Candidate, Master>;

}  // namespace photon::paxos
