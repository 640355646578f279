// Redundancy comes back (SPEC B-18, J-P0): when a run has been healed, every replica reaches what
// its group has chosen, and has a disk with a vote. A group that works on with what is left loses
// nothing, so no oracle of safety sees it; with the next failure it stands still.
//
// What a replica has reached is what it has applied in its present life (SlotApplied,
// StateRestored; that it is the right state J-S6 judges). Followers of a busy group are always a
// little behind. So a replica that lacks something is given a goal, the highest slot chosen by
// then, and time: JudgeConfig::redundancy_bound, and more for every slot that it lacks and for what
// a snapshot may hold. Having come there it is given the next goal, if it lacks something again. A
// disk that was set up as new has twice that time until it votes: a majority of the others must
// have caught up before.
//
// Nothing is demanded
//   * of a replica that does not run; one that starts again has all its time from then on;
//   * of one whose disk holds wrong bytes (JudgeConfig::unsound) while it is silent: it must not
//     take part any more, and only an operator can give it another disk;
//   * where those that run and are not silent in this way have no majority of disks that vote; for
//     a new disk, the others.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/evidence/dense_table.h"
#include "analysis/evidence/evidence.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Redundancy final : public Oracle {
 public:
  explicit Redundancy(const OracleInput& input);
  std::span<const trace::Kind> absorbed_kinds() const override;
  void on_absorbed(const Fact& fact) override;
  // How often something had to come back: a replica that lacked slots when the run was healed or
  // when it started after that, a disk without a vote.
  void finish(Liveness liveness) override;

  // For the quiescence protocol: what replicas lack and still have time for. Not what was chosen a
  // moment ago, of those that had caught up: it comes with the next heartbeat, and a moment is
  // several of them.
  std::uint64_t awaited() const;
  // The longest time that anybody has for what it lacks.
  Duration longest() const;

  // Replicas that were held to it; and what some lacked that could not be demanded of them. After
  // finish().
  std::uint64_t held() const { return held_; }
  std::uint64_t excused() const { return excused_; }

 private:
  enum class Want : std::uint8_t { slots, vote };
  struct Member {
    NodeId node{};
    std::uint32_t group = 0;
    bool sound = true;          // unless JudgeConfig::unsound names it
    SimTime heard{};            // when it last said anything to its group
    SimTime from{};             // it was healed, or its present life began
    SimTime behind = kNever;    // since when it has its goal; kNever: it lacks nothing
    std::uint64_t goal = 0;     // slot
    std::uint64_t missing = 0;  // slots up to there, in the beginning
    SimTime voteless = kNever;  // since when its disk has no vote
  };

  void begin(SimTime now);
  void look_at(std::uint32_t group);
  void look_at(Member& member, std::uint64_t chosen);
  std::uint64_t reached(const Member& member) const;
  bool counts(const Member& member) const;  // it runs, and is not excused by its disk
  bool can_be_demanded(const Member& member, Want want) const;
  Duration time_for(const Member& member, Want want) const;
  Duration moment() const;
  template <class Visitor>  // (member, want, since when)
  void each_want(Visitor&& visit) const;
  void accuse(const Member& member, Want want, SimTime since);

  std::vector<Member> members_;              // group after group; empty: not checked
  DenseTable<NodeId, std::uint32_t> place_;  // in members_, from 1; 0: no replica
  bool healed_ = false;
  std::uint64_t held_ = 0;
  std::uint64_t excused_ = 0;

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
