// J-P8: after verification has removed an id, the click is durably brought back, or registered
// anew, by a deadline: not only by the end of the run, which J-P4 checks (F-08).
//
// Between removal and return the click is nowhere but in the verifier's journal. Deadlines of the
// verifier whose removal took effect:
//   known      its answer (`removed`, or another definitive one to a repetition) was delivered: the
//              return is written to its log in that moment, or, if an append to that log is under
//              way, in the moment when that one is durable. Under any faults, while its life
//              lasts, until its first append; later while no fault is in force: a cell may fail
//              after it has made the bytes durable, and then the writer does not know. In a fault
//              the return is due as after a restart
//   not known  the answer comes within `commit_bound` of the removal; its client repeats it
//   restarted  the verifier's life ended meanwhile: its next one repeats the removal that was
//              intended, and is answered within `restart_bound` and `commit_bound` of its start
// The two times begin anew after a fault. They are no obligation where the click is too old before
// they end (F-11). A return by any verifier, and any fresh insert, end all of it. A late copy of a
// removal that was answered before removes an id without any process knowing: later checks see it.
#pragma once

#include <cstdint>
#include <queue>
#include <string_view>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class ReturnFollows final : public Oracle {
 public:
  explicit ReturnFollows(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;
  void finish(Liveness liveness) override;

 private:
  struct Asked {
    NodeId verifier{kNoNode};
    Incarnation life{};
    std::uint64_t request = 0;
    bool answered = false;  // later answers to that request count nowhere
  };
  struct Removed {
    SimTime at{};
    std::uint64_t slot = 0;
    Asked by{};                 // with its life that asked last
    SimTime known = kNever;     // the answer was delivered to that life
    SimTime examined = kNever;  // next
    // Its verifier may still wait for the answer to an append whose bytes are durable.
    bool waits_for_log = false;
  };
  struct Deadline {
    SimTime at{};
    std::uint32_t click = 0;
    bool operator>(const Deadline& other) const {
      return std::tie(at, click) > std::tie(other.at, other.click);
    }
  };
  using Clicks = boost::unordered_flat_set<std::uint32_t, Hasher>;
  struct Verifier {
    Incarnation life{};
    SimTime started{};
    Clicks issued{};                         // in the append under way
    SimTime last_issued = kNever;            // the last append; kNever: none yet
    std::vector<std::uint32_t> to_return{};  // removals that it knows of, and has not issued
    SimTime due = kNever;                    // in this moment it writes them
  };

  void on_asked(const Fact& fact);
  void on_answered(const Fact& fact);
  void on_applied(const Fact& fact);
  void on_returned(const Fact& fact);
  void check_due(NodeId node, Verifier& verifier);
  // The end of the time in which the answer comes; kNever while a fault is in force.
  SimTime limit(const Removed& removed);
  void examine_again(std::uint32_t click, Removed& removed, SimTime at);
  void examine(SimTime now);
  void accuse(std::uint32_t click, const Removed& removed, std::string_view why);

  boost::unordered_flat_map<std::uint32_t, Asked, Hasher> asked_;  // by click: who removes it
  boost::unordered_flat_map<std::uint32_t, Removed, Hasher> removed_;
  std::priority_queue<Deadline, std::vector<Deadline>, std::greater<>> deadlines_;
  LifeTable<Verifier> verifiers_;
  std::vector<NodeId> due_;  // verifiers with such a moment

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
