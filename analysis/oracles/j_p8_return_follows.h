// J-P8: after verification has removed an id, the click is durably brought back, or registered anew,
// within a bound: not only by the end of the run, which J-P4 checks (F-08).
//
// Between removal and return the click is nowhere but in the verifier's journal. Deadlines, for the
// verifier whose removal took effect, in the time without any fault:
//   known      its answer (`removed`, or `not_found` to a repetition) was delivered: the return is
//              durable within JudgeConfig::return_bound, two appends
//   not known  the removal is applied: `commit_bound` more, in which its client repeats it
//   restarted  the verifier's life ended meanwhile: its next one repeats the removal that was
//              intended; `restart_bound` and `commit_bound` more, from its start on
// A fault, or a restart, begins the time anew. There is no obligation while the click is too old
// before the deadline (F-11). Any verifier's return ends it, and so does any fresh insert.
#pragma once

#include <queue>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class ReturnFollows final : public Oracle {
 public:
  explicit ReturnFollows(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;
  void finish(Liveness liveness) override;

 private:
  struct Removed {
    SimTime at{};
    std::uint64_t slot = 0;
    NodeId verifier{kNoNode};
    Incarnation life{};        // of the verifier, when it asked last
    SimTime known = kNever;    // the answer was delivered to that life
    SimTime examined = kNever;  // next
  };
  struct Deadline {
    SimTime at{};
    std::uint32_t click = 0;
    bool operator>(const Deadline& other) const {
      return std::tie(at, click) > std::tie(other.at, other.click);
    }
  };
  struct Asked {
    NodeId verifier{kNoNode};
    Incarnation life{};
  };

  void on_asked(const Fact& fact);
  void on_answered(const Fact& fact);
  void on_applied(const Fact& fact);
  // The end of its time, if no fault comes in between; kNever while a fault is in force.
  SimTime limit(const Removed& removed) const;
  void examine_again(std::uint32_t click, Removed& removed);
  void examine(SimTime now);
  void accuse(std::uint32_t click, const Removed& removed);

  boost::unordered_flat_map<std::uint32_t, Asked, Hasher> asked_;  // by click: who removes it
  boost::unordered_flat_map<std::uint32_t, Removed, Hasher> removed_;
  std::priority_queue<Deadline, std::vector<Deadline>, std::greater<>> deadlines_;
  DenseTable<NodeId, SimTime> started_;

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
