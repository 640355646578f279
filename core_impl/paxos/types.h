// Names and parameters of one consensus group.
//
// A ballot packs (round, generation, replica index), so that two replicas never use the same one,
// nor does one replica before and after the loss of its disk; ballots sort by round first. A
// replica chooses a round above every ballot it has promised, and the promise is durable before the
// ballot is used: ballots of one disk grow over restarts.
//
// Paper: Photon section 2.1 (PaxosDB); SPEC B-10..B-18.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"

namespace photon::paxos {

using Ballot = StrongId<struct BallotTag, std::uint64_t>;  // 0: none
using Slot = std::uint64_t;                                // position in the log, from 1; 0: none
using ReplicaIndex = std::uint8_t;                         // position in the list of members

inline constexpr ReplicaIndex kNoReplica = 0xff;
inline constexpr std::uint32_t kMaxReplicas = 32;

// Which disk a replica has: a replica that lost its disk continues under a generation that it
// never had.
using Generation = StrongId<struct GenerationTag, std::uint32_t>;
inline constexpr Generation kFirstGeneration{1};  // of the disks that a new group is formatted with

inline constexpr unsigned kIndexBits = 8;
inline constexpr unsigned kGenerationBits = 24;
inline constexpr Generation kMaxGeneration{1U << kGenerationBits};

// Requires 1 <= generation <= kMaxGeneration and a round of 32 bits.
constexpr Ballot make_ballot(std::uint64_t round, ReplicaIndex owner,
                             Generation generation = kFirstGeneration) {
  PHOTON_CHECK(round >> 32U == 0, "a round fits its 32 bits of a ballot");
  PHOTON_CHECK(generation >= kFirstGeneration && generation <= kMaxGeneration,
               "a generation fits its bits of a ballot");
  const std::uint64_t disk = generation.value() - kFirstGeneration.value();
  return Ballot((((round << kGenerationBits) | disk) << kIndexBits) | owner);
}
constexpr std::uint64_t round_of(Ballot ballot) {
  return ballot.value() >> (kGenerationBits + kIndexBits);
}
// Requires a ballot other than 0.
constexpr ReplicaIndex owner_of(Ballot ballot) { return static_cast<ReplicaIndex>(ballot.value()); }

// The bounds of a valid disk. Nothing beyond them is ever written: no group holds that many
// elections or chooses that many values, and no follower accepts that far ahead.
inline constexpr std::uint64_t kMaxStoredRound = (std::uint64_t{1} << 32U) - (1U << 20U);
inline constexpr Slot kMaxStoredSlot = Slot{1} << 62U;
// An acceptance leaves a gap of less than this many slots before itself. A follower that lags
// further first learns the chosen values.
inline constexpr Slot kMaxGap = Slot{1} << 20U;

// Could some replica of a group of that size have made it? Requires a ballot other than 0.
constexpr bool is_possible(Ballot ballot, std::uint32_t replicas) {
  return owner_of(ballot) < replicas && round_of(ballot) <= kMaxStoredRound;
}

// A set of replicas of one group. Votes are counted as sets, never as numbers of replies (M-05).
struct ReplicaSet {
  std::uint32_t bits = 0;

  static constexpr ReplicaSet only(ReplicaIndex index) {
    PHOTON_CHECK(index < kMaxReplicas, "a replica's index fits a set");
    return ReplicaSet{std::uint32_t{1} << index};
  }
  static constexpr ReplicaSet all(std::uint32_t replicas) {
    return ReplicaSet{replicas >= kMaxReplicas ? ~std::uint32_t{0}
                                               : (std::uint32_t{1} << replicas) - 1};
  }
  constexpr bool contains(ReplicaIndex index) const {
    PHOTON_CHECK(index < kMaxReplicas, "a replica's index fits a set");
    return ((bits >> index) & 1U) != 0;
  }
  constexpr bool empty() const { return bits == 0; }
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(std::popcount(bits)); }
  constexpr void add(ReplicaIndex index) {
    PHOTON_CHECK(index < kMaxReplicas, "a replica's index fits a set");
    bits |= std::uint32_t{1} << index;
  }
  constexpr ReplicaSet without(ReplicaSet other) const { return ReplicaSet{bits & ~other.bits}; }

  friend constexpr bool operator==(ReplicaSet, ReplicaSet) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.bits);
  }
};

// Parameters of one replica. All members of a group must agree on everything but `self`.
struct Config {
  ShardId group{};
  ReplicaIndex self = 0;
  std::uint32_t replicas = 1;  // 2f + 1 for f tolerated failures (B-04); at most kMaxReplicas

  // Silence of the master after which a follower stands for election. Must not be below `lease`:
  // a follower that still grants a lease could not even promise to itself.
  Duration election_timeout = std::chrono::milliseconds(2000);
  // Candidates start one stagger apart, in the order of their rank; should exceed one round trip
  // and one disk write. The spread within a stagger is a pure function of (index, round).
  Duration election_stagger = std::chrono::milliseconds(300);
  // The replica of rank 0, which stands first: spreads the masters of many groups (B-19).
  ReplicaIndex preferred_master = 0;
  // Another master hands over to the preferred one when that has been fit for this duration
  // (handover.h); 0: never.
  Duration return_after{};
  Duration heartbeat = std::chrono::milliseconds(300);  // also the period of retransmission
  // How long a follower's grant lasts on its own clock. 0 turns leases off: agreement is
  // untouched, but a master may then be deposed without knowing, so it answers nothing from its
  // local store (B-14).
  Duration lease = std::chrono::milliseconds(1500);
  // Bound on the rate error of any two replicas' monotonic clocks, in parts per million.
  std::uint32_t drift_ppm = 200;
  std::uint32_t pipeline_depth = 1;  // slots that a master may have open at once (B-24)
  // Catch-up: at most this many slots, and about this many bytes, in one message.
  std::uint32_t catch_up_slots = 64;
  std::uint32_t catch_up_bytes = 1U << 20U;

  constexpr std::uint32_t quorum() const { return replicas / 2 + 1; }
  constexpr bool is_quorum(ReplicaSet set) const { return set.size() >= quorum(); }
  constexpr ReplicaSet others() const {
    return ReplicaSet::all(replicas).without(ReplicaSet::only(self));
  }
  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace photon::paxos
