// PaxosDB: one replica of one group, as a value.
//
// HOW TO DRIVE IT
//
// A Replica does nothing by itself. Its driver feeds it inputs, one `step` at a time, each with the
// driver's monotonic time, and performs what the step puts into the Output:
//
//  1. Write `records`, in order, to the end of the durable log. Any number of records may go in one
//     write. When they are durable, feed Persisted{mark}, `mark` being the Output's mark of the
//     last step whose records are covered. Marks only grow; a write must not overtake an earlier
//     one.
//  2. Send `messages`, in any order, at any time, or lose them. The replica has withheld each one
//     that depends on a record until that record was reported durable, so the driver may send them
//     at once and cannot get the order wrong:
//       Promise        after the promise record of its ballot
//       Prepare        after the candidate's own promise: a ballot is never used by two lives
//       Accepted       after the accept records of all its values
//       HeartbeatAck   after the promise of its ballot
//       Accept, Heartbeat, Reject, Transfer do not wait. A master may send Accept before its own
//       acceptance is durable: its own vote is counted only then, and its next life cannot reuse
//       the ballot.
//  3. If `mastership` is lost, stop answering. Then apply `chosen`, in order. Then, if it is
//     gained, start serving. (`lost` and `gained` may come in one Output, with different ballots.)
//  4. Call step with Tick at next_wakeup() or soon after. Earlier ticks do no harm.
//  5. When a snapshot of the machine's state after slot `through` is durable, feed Compact. Then
//     replace the log by the records of carried(), which stand for everything issued so far, and
//     remove the old log when they are durable. Both are optional.
//  6. If `offer` is set, that replica has a snapshot which this one needs: fetch it, make it
//     durable, give it to the machine, feed Installed (while can_install says yes), continue as
//     in 5.
//
// At start the driver folds the log into a Recovered (log_record.h), constructs the Replica and
// feeds a Tick: it hands out every slot known to be chosen, from the one after the snapshot.
//
// THE PROTOCOL
//
// Multi-Paxos with a stable master. Phase 1 covers all slots from the first one that the candidate
// does not know to be chosen. The winner proposes again, at its own ballot, the value of the
// highest ballot reported for each slot, and a no-op where nothing was reported (B-16). It serves
// after all of these are chosen and applied and a majority has granted it a lease (B-13). After
// that, one round trip per command. The commit index travels with Accept and Heartbeat. A follower
// counts a slot as chosen if it is not above the commit index of a master AND was accepted at the
// ballot of that master; for older acceptances it asks for the value again, and the master answers
// with an Accept at its own ballot, which is sound because a chosen value is the only one any later
// ballot can propose. So there is only one way by which values enter a log.
//
// Agreement follows from ballots, durable promises and majorities of distinct acceptors. Time
// decides only which replica tries to be master and which may answer without asking others
// (lease.h). Replicas that lost their disk: generations.h.
//
// A master steps down when its lease runs out or when it meets a higher ballot. A replica that was
// cut off and has promised itself a higher ballot rejects the master after healing; the master then
// runs phase 1 again above that ballot, which its own running lease permits.
//
// COMPACTION
//
// Entries up to `base` are removed; all of them are chosen and in a durable snapshot.
//  * Prepare with from_slot <= base asks for entries that are removed. It is ignored, and the
//    election timer keeps running: such a candidate lags and must not win with an incomplete
//    report. Liveness: this replica has seen the candidate's round. It stands for election itself
//    when its timer is due, above that round, with a from_slot beyond every base that it knows
//    of. The laggard (a candidate keeps its ballot) promises to it and receives the state from
//    the winner.
//  * Accept for a slot <= base comes from a master that lags: the value is the chosen one, since
//    at a later ballot nothing else can be proposed. It is voted for, and the promise is kept.
//  * A follower that asks for slots <= base is offered the snapshot. A snapshot is a fact about a
//    chosen prefix, whichever replica made it at whatever ballot: installing one changes base and
//    commit, and neither the promise nor the entries above.
//
// Invariants: for base < slots <= commit the log holds the chosen value; commit never falls in a
// life; chosen values are handed out in slot order, each once per life. Copyable; == and
// encode_state go over the whole state; no pointer, clock or random draw inside.
//
// Paper: Photon section 2.1; SPEC B-10..B-18, B-24.
#pragma once

#include <optional>
#include <variant>

#include "core_impl/paxos/acceptor.h"
#include "core_impl/paxos/roles.h"

namespace photon::paxos {

struct Tick {};
// Every record up to the Output mark `mark` is durable.
struct Persisted {
  std::uint64_t mark = 0;
};
struct Received {
  ReplicaIndex from = kNoReplica;
  Message message{};
};
// Ignored (Output::proposed stays 0) unless can_propose. `command` must not be empty.
struct Propose {
  SharedBytes command{};
};
// Stand for election now, if the grants allow it.
struct StandForElection {};
// Hand mastership over to replica `to` (handover.h). Ignored unless this replica is master.
struct HandOver {
  ReplicaIndex to = kNoReplica;
};
// A snapshot of the state after slot `through` (applied here) is durable.
struct Compact {
  Slot through = 0;
};
// A snapshot made elsewhere is durable here and given to the machine. Ignored unless can_install.
struct Installed {
  SnapshotPoint snapshot{};
};

struct Input {
  MonotonicTime now{};
  std::variant<Tick, Persisted, Received, Propose, StandForElection, HandOver, Compact, Installed>
      event{};
};

struct Chosen {
  Slot slot = 0;
  SharedBytes value{};  // see value.h
};

// `from` has a snapshot through `through` or later, and this replica lacks what it covers.
struct Offered {
  ReplicaIndex from = kNoReplica;
  Slot through = 0;
};

struct Mastership {
  std::optional<Ballot> lost{};
  std::optional<Ballot> gained{};  // authority begins; every earlier slot is in `chosen` by now
  Slot gained_applied = 0;
  bool lease_moved = false;  // Replica::lease_until has a new value
};

// Steps append to it; the driver clears it.
struct Output {
  PooledVector<LogRecord> records{};
  std::uint64_t mark = 0;  // of the last record ever issued
  PooledVector<Outgoing> messages{};
  PooledVector<Chosen> chosen{};
  // Own acceptances that became durable and were counted: the network does not carry them. For
  // checkers of the value type; a driver ignores them.
  PooledVector<Accepted> own_accepted{};
  Mastership mastership{};
  std::optional<Offered> offer{};
  Slot proposed = 0;  // Propose: its slot, 0 if refused

  bool has_work() const;
  void clear();  // keeps the memory
};

class Replica {
 public:
  // `now`: first reading of this life's clock; later inputs must not be earlier.
  Replica(const Config& config, Recovered recovered, MonotonicTime now);

  void step(const Input& input, Output& out);

  // When the next Tick is due; changes with every step.
  MonotonicTime next_wakeup() const;
  bool has_authority(MonotonicTime now) const;
  bool can_propose(MonotonicTime now) const;
  Slot commit() const { return commit_; }
  Slot applied() const { return handed_; }
  Slot base() const { return acceptor_.base(); }
  Generation generation() const { return generation_; }
  // In force after slot commit(): which disk of every replica has a vote.
  const Generations& generations() const { return generations_; }
  bool can_install(Slot through) const {
    return through > commit_ && std::holds_alternative<Follower>(role_);
  }
  // The contents of a new log: folded over an empty log with this base they give this replica's
  // durable state with every record issued so far. The driver calls this when it is about to write
  // the new log; later records build on it.
  PooledVector<LogRecord> carried();
  Ballot promised() const { return acceptor_.promised(); }
  // Index of the master that this replica believes in; kNoReplica if none.
  ReplicaIndex master_hint() const;
  // The end of the claimed lease. Requires being master.
  MonotonicTime lease_until() const { return std::get<Master>(role_).lease_until; }
  Ballot mastership() const { return std::get<Master>(role_).ballot; }

  // Heartbeats that change nothing but times (runtime/rounds.h; replica_rounds.cc).
  struct IdleRounds {
    MonotonicTime due{};  // of the next heartbeat
    Duration limit{};     // for all acknowledgements of a heartbeat
  };
  std::optional<IdleRounds> idle_rounds() const;
  bool follows_idly() const;  // its master_hint()
  void rounds_passed(Duration time);

  const Config& config() const { return config_; }
  const Role& role() const { return role_; }
  const Acceptor& acceptor() const { return acceptor_; }

  friend bool operator==(const Replica&, const Replica&) = default;
  // The whole state in canonical order, for hashing.
  void encode_state(Encoder& encoder) const;

 private:
  struct Withheld {
    std::uint64_t mark = 0;
    Outgoing outgoing{};
    friend bool operator==(const Withheld&, const Withheld&) = default;
    template <class Encoding>
    void encode(Encoding& encoder) const {
      encoder(mark, outgoing.to);
      encode_message(outgoing.message, encoder);
    }
  };
  // The environment of one step.
  struct Step {
    MonotonicTime now;
    Output& out;
  };

  // What an Accepted and a HeartbeatAck have in common.
  struct Answer {
    ReplicaIndex from;
    Generation generation;
    Slot wants_from;
    MonotonicTime sent_at;
  };

  // Inputs.
  void on(Step& step, const Tick&);
  void on(Step& step, const Persisted& event);
  void on(Step& step, const Received& event);
  void on(Step& step, const Propose& event);
  void on(Step& step, const StandForElection&);
  void on(Step& step, const HandOver& event);
  void on(Step& step, const Compact& event);
  void on(Step& step, const Installed& event);
  void handle(Step& step, ReplicaIndex from, const Prepare& message);
  void handle(Step& step, ReplicaIndex from, const Promise& message);
  void handle(Step& step, ReplicaIndex from, const Accept& message);
  void handle(Step& step, ReplicaIndex from, const Accepted& message);
  void handle(Step& step, ReplicaIndex from, const Heartbeat& message);
  void handle(Step& step, ReplicaIndex from, const HeartbeatAck& message);
  void handle(Step& step, ReplicaIndex from, const Reject& message);
  void handle(Step& step, ReplicaIndex from, const SnapshotOffer& message);
  void handle(Step& step, ReplicaIndex from, const Transfer& message);

  // As acceptor and follower (replica_follower.cc).
  void write(Step& step, std::optional<LogRecord> record);
  void follow(Step& step, Ballot ballot);
  Slot learn(Ballot ballot, Slot commit);
  bool accept(Step& step, Slot slot, Ballot ballot, const SharedBytes& value);
  void record_commit(Step& step);
  bool reject_below_promise(Step& step, ReplicaIndex from, Ballot ballot);

  // As candidate and master (replica_master.cc).
  void stand_for_election(Step& step, Ballot released = {});
  void become_master(Step& step, Candidate candidate);
  void broadcast_accepts(Step& step, Slot first, Slot last);
  void accept_own(Step& step, Slot first, Slot last);
  void send_accepts(Step& step, ReplicaSet to, Slot first, Slot last);
  void send_heartbeat(Step& step);
  void resend_open(Step& step);
  void propose(Step& step, const SharedBytes& value);
  void acknowledged(Step& step, const Answer& answer);
  void catch_up(Step& step, ReplicaIndex follower, Slot wants_from);
  void consider_admission(Step& step);
  bool may_admit(const Master& master) const;
  std::optional<Admission> open_admission() const;
  void advance_commit(Master& master);
  void extend_lease(Step& step, Master& master);
  void master_tick(Step& step, Master& master);
  void step_down(Step& step);

  // Handover of mastership (replica_handover.cc).
  void consider_handover(Step& step);
  void hand_over(Step& step, const Answer& answer);
  void consider_return(Step& step, Master& master, bool fit);
  void release_grant(Ballot released);

  // Common (replica.cc).
  void send(Step& step, ReplicaSet to, Message message);
  void send_when_durable(Step& step, ReplicaSet to, Message message);
  void release(Step& step, Outgoing outgoing);
  void set_commit(Slot commit);
  void admit(const Admission& admission);
  void hand_out(Step& step);
  void finish(Step& step);
  bool is_settled() const;
  void check_state(const Output& out) const;
  Duration election_delay() const;
  Duration election_jitter() const;

  Config config_;
  Generation generation_ = kFirstGeneration;  // of this replica's disk
  Generations generations_;                   // in force after slot commit_
  Acceptor acceptor_;
  Role role_;
  LeaseGrant grant_;
  Slot commit_ = 0;            // every slot <= commit_ is known to be chosen
  Slot commit_recorded_ = 0;   // the same in the log
  Slot handed_ = 0;            // handed out to be applied
  std::uint64_t issued_ = 0;   // records written in this life
  std::uint64_t durable_ = 0;  // of these, durable
  std::uint64_t highest_round_seen_ = 0;
  MonotonicTime latest_{};
  PooledVector<Withheld> withheld_;  // in order of mark
};

}  // namespace photon::paxos
