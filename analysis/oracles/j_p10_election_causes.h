// J-P10: elections are paid for by faults. A replica stands for election only for a cause.
//
// With T the election time-out of the configuration, a life of a replica that begins a new ballot
//   * was handed mastership over (the ballot names the one that is released), or
//   * is the first one of a disk, in a group that has no master yet, or
//   * has, for T by its own clock, followed no master, begun no ballot and not just begun to live:
//     its master died, a partition or a lost or late message cut it off, or no election succeeded,
//     or
//   * was elected with its last ballot, and another replica has begun a higher one: a replica that
//     has promised that one follows it no more. So this is an answer to an election, whose own
//     cause is judged where it began. The other replica may have refused the master before its new
//     ballot is on its disk, and thus before the trace shows it: then it must do so until the next
//     ballot of this life, unless some process dies meanwhile.
// So each fault that silences a master pays for one election, one more for each T that it lasts,
// and their answers; a run without faults and hand-overs pays for the first one of each group.
//
// A replica follows the master whose message it receives if it knows of no higher ballot: one that
// it received, began, or has on its disk. Messages that it may have refused do not count. A ballot
// is sent once it is on the disk of its replica: T may have passed before the last message came.
// So each such silence pays for one ballot, until the replica answers the next heartbeat: answers,
// too, wait for all that it has written.
//
// Cost: O(1) per message of a master.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class ElectionCauses final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;

 private:
  struct Replica {
    SimTime began{};                       // to live
    SimTime quiet_since = SimTime::min();  // it follows no master since then; min(): never did
    std::uint64_t own = 0;                 // the ballot that its life began last; 0: none
    bool elected = false;                  // with that one
    std::uint32_t paid = 0;                // silences that have ended, and that no ballot followed
    std::optional<trace::PaxosHeartbeat> to_answer{};  // the first heartbeat since then
    std::uint64_t answered = 0;  // ballot of this life, above which another one was not seen yet
    SimTime answered_at{};
    // Of its disk.
    std::uint64_t highest = 0;  // ballot that it knows of
    bool blank = true;          // no vote is on it
  };

  void on_prepare(const Fact& fact);
  void on_master(const Fact& fact, std::uint64_t ballot);
  void on_answer(const Fact& fact);
  void on_disk(const Fact& fact);
  SimTime earliest_ballot(const Replica& replica, SimTime now) const;
  bool was_quiet(const Replica& replica, SimTime now) const;
  // Why the new ballot has no cause; empty if it has one.
  std::string_view unexplained(Replica& replica, std::uint64_t others, SimTime now) const;

  DenseTable<NodeId, Replica> replicas_;
  // The highest ballot that a replica of a group began, and the highest of the other replicas.
  struct Begun {
    NodeId by{};
    std::uint64_t highest = 0;
    std::uint64_t of_others = 0;

    void note(NodeId node, std::uint64_t ballot);
    std::uint64_t by_others_than(NodeId node) const { return by == node ? of_others : highest; }
  };
  DenseTable<trace::GroupId, Begun> begun_;
  SimTime last_death_ = SimTime::min();  // of any process
};

}  // namespace photon::analysis
