// Redundancy comes back (SPEC B-18, J-P0): after healing, every replica reaches the slots that its
// group has chosen, and has a disk with a vote. A group that works on without a replica loses
// nothing, so no safety oracle sees it; the next failure stops it.
//
// A replica has reached the slot that it has applied in its present life (SlotApplied,
// StateRestored; J-S6 checks the state). Followers of a busy group always lag a little. So a
// replica that lacks something is given a goal, the highest slot chosen by then, and time:
// JudgeConfig::redundancy_bound, and more for every slot that it lacks and for the possible size of
// a snapshot. When it has reached the goal, it is given the next one if it lacks something again. A
// disk that was set up as new has twice that time until it votes: a majority of the others must
// have caught up before.
//
// There is no obligation
//   * for a replica that does not run; one that starts again has all its time from then on;
//   * for one whose disk holds wrong bytes (JudgeConfig::unsound) while it is silent: it must not
//     take part any more, and only an operator can give it another disk;
//   * if the running replicas that are not silent in this way have no majority of voting disks; for
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
  std::span<const Interest> absorbed_kinds() const override;
  void on_absorbed(const Fact& fact) override;
  // How often something had to come back: a replica that lacked slots when the run was healed or
  // when it started after that, a disk without a vote.
  void finish(Liveness liveness) override;

  // For the quiescence protocol: what replicas lack and still have time for. Slots chosen a moment
  // ago do not count for replicas that had caught up: they come with the next heartbeat, and a
  // moment is several of them.
  std::uint64_t awaited() const;
  // The longest time that any replica has for what it lacks.
  Duration longest() const;

  // Replicas that were checked; and the lacks of others that were exempt. After finish(). finish().
  std::uint64_t held() const { return held_; }
  std::uint64_t exempt() const { return exempt_; }

 private:
  enum class Lack : std::uint8_t { slots, vote };
  struct Member {
    NodeId node{};
    std::uint32_t group = 0;
    bool sound = true;             // unless JudgeConfig::unsound names it
    SimTime heard{};               // when it last sent a message to its group
    SimTime from{};                // it was healed, or its present life began
    SimTime lacks_since = kNever;  // since when it has its goal; kNever: it lacks nothing
    std::uint64_t goal = 0;        // slot
    std::uint64_t missing = 0;     // slots up to there, in the beginning
    SimTime voteless = kNever;     // since when its disk has no vote
  };

  void begin(SimTime now);
  void examine(std::uint32_t group);
  void examine(Member& member, std::uint64_t chosen);
  std::uint64_t reached(const Member& member) const;
  bool counts(const Member& member) const;  // it runs, and its disk does not exempt it
  bool can_be_required(const Member& member, Lack lack) const;
  Duration time_for(const Member& member, Lack lack) const;
  Duration moment() const;
  template <class Visitor>  // (member, lack, since when)
  void each_lack(Visitor&& visit) const;
  void accuse(const Member& member, Lack lack, SimTime since);

  std::vector<Member> members_;              // group after group; empty: not checked
  DenseTable<NodeId, std::uint32_t> place_;  // in members_, from 1; 0: no replica
  bool healed_ = false;
  std::uint64_t held_ = 0;
  std::uint64_t exempt_ = 0;

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
