// J-S7, the basis of leases.
// j_s7_one_master takes the length of a lease from the master's claim. This class compares that
// claim with the messages on the network, and with the configured lease, both read so that no clock
// within its rate error is accused:
//   * A replica grants its master one lease from the moment when it receives the message that it
//     acknowledges. So a master's claim may not outlast, for certain, the latest moment at which a
//     majority (its own vote counted) had sent the acknowledgements that were delivered to it, plus
//     one lease.
//   * A master does not know when its messages were received, only when it sent them. So its claim,
//     by the slowest clock, may not outlast the shortest grant that begins with the sending of the
//     messages that a majority has acknowledged. A master that does not allow for both clocks
//     claims too much, even while the clocks of this run err by less than they may.
//   * Until its grant has certainly run out, a replica sends no promise to another candidate,
//     whatever it forgot in a restart. There are three exceptions:
//     - It has sent or received a request for promises which states that the granted ballot, or a
//       later one, is released (handover.h of the component; SPEC B-19). Then the grant is over for
//       all candidates: a third one may be faster than the requester.
//     - It has heard a master of a higher ballot. That one was elected by a majority, so the lease
//       of which its grant was a part is over.
//     - Its disk was lost. A grant, like a vote, is one disk's. The promises of the new disk count
//       only after its admission, and those that admit it grant anew (generations.h of the
//       component); j_s6_elections checks which promises count.
//
// Reads messages about heartbeats, acceptances and promises, the claims, and which disks were
// formatted. Checked only where the configuration names a lease. Cannot see: a replica's promise
// and grant to itself, which cross no network; and a grant that was lost in flight, which no master
// counts either.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class LeaseGrants final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // A master's message, identified by the fields that its acknowledgement repeats.
  struct MessageName {
    enum class Sort : std::uint8_t { accept, heartbeat };
    Sort sort{};
    std::uint64_t ballot = 0;
    std::uint64_t number = 0;  // accept: the slot; heartbeat: its stamp
  };
  // The recent passages of messages; found by name.
  class Passages {
   public:
    struct Passage {
      std::uint64_t ballot = 0;
      std::uint64_t number = 0;
      SimTime first{};
      SimTime last{};
    };
    // Forgets messages that passed before `since` and not again.
    void note(const MessageName& name, SimTime at, SimTime since);
    // Null: unknown. Valid until the next note.
    const Passage* find(const MessageName& name) const;

   private:
    // In the order of ballots and numbers, which is nearly that of time: what is asked for is near
    // the end.
    using Ordered = std::deque<Passage>;
    static std::size_t place_after(const Ordered& passages, const MessageName& name);
    Ordered& of(const MessageName& name) { return passages_[static_cast<std::size_t>(name.sort)]; }

    std::array<Ordered, 2> passages_;  // by sort
  };
  struct Counted {  // by a master
    NodeId follower{};
    std::uint64_t ballot = 0;
    SimTime sent_at{};
    SimTime asked_at{};  // when the master had sent the latest message that it has acknowledged
  };
  // What the present disk of a replica is bound by.
  struct Granted {
    NodeId holder{};  // of the latest grant
    std::uint64_t ballot = 0;
    SimTime at = SimTime::min();  // not after the real moment
    std::uint64_t released = 0;   // the highest ballot known to be released
    std::uint64_t master = 0;     // the highest ballot of a master heard
  };
  struct Member {
    NodeId node{};
    Passages asked;  // as a master
    Passages heard;  // of a master
    Passages acknowledged;
    std::vector<Counted> counted;
    Granted granted;
  };

  Member& member_of(trace::GroupId group, NodeId node);
  void pass(Member& member, const MessageName& name, const Fact& fact) const;
  void note(Passages& passages, const MessageName& name, SimTime at) const;
  void acknowledge(const Fact& fact, trace::GroupId group, const MessageName& name);
  void on_promise(const Fact& fact);
  void on_extended(const Fact& fact);
  void compare_with_sent(const Fact& fact, std::vector<SimTime> asked);
  Duration drift(Duration of) const;

  DenseTable<trace::GroupId, std::vector<Member>> groups_;
  static constexpr Interest kKinds[] = {trace::Kind::paxos_prepare,  trace::Kind::paxos_promise,
                                        trace::Kind::paxos_accept,   trace::Kind::paxos_accepted,
                                        trace::Kind::paxos_granted,  trace::Kind::paxos_heartbeat,
                                        trace::Kind::lease_extended, trace::Kind::paxos_formatted};
};

}  // namespace photon::analysis
