// Which generation of every replica has a vote: replicated state of the group, changed by the
// admissions in its log and by nothing else.
//
// WHY A LOST DISK MUST BE ADMITTED, AND WHY THIS IS SAFE
//
// A replica that lost its disk has forgotten its promises and acceptances, while others still
// count on them. Asking a majority for the state and going on is a known error: promises and votes
// that are still in flight are forgotten too (Michael, Ports, Sharma, Szekeres: Recovering shared
// objects without stable storage, 2017). So each disk has a generation, all promises, votes and
// grants carry it, and a new generation g of replica i has no vote until the group itself has
// chosen the admission (i, g) in some slot k. Until then i learns like any other replica.
//
// Rules, with "the others" for all replicas but i:
//  R1  A promise or vote counts only if it comes from the generation in force.
//  R2  A master proposes an admission only when no slot is open, and nothing after it until it is
//      chosen. An admission of i is chosen by votes of the others alone.
//  R3  An acceptor accepts an admission in slot k only if it knows, durably, that every slot < k is
//      chosen, and with which value (or has the state after k - 1 in a snapshot).
//  R4  A candidate knows from its promises that slots up to c are chosen, and with which values. It
//      needs promises of a majority under the generations in force after c. If slot c + 1 is
//      reported to hold an admission, it also needs a majority under the generations after that
//      one. (By R3 a replica that reports an admission in slot s knows s - 1, so s <= c + 1: there
//      is at most one open admission, and it is the first open slot.)
//  R5  A master that proposes an admission again, because it was reported, applies the same rule to
//      every slot after it that was also reported: no vote of i counts, and the admission counts as
//      chosen only together with all of them.
//
// Let (i, g) be chosen in slot k at ballot B by Q, a majority of the group among the others.
//  * Nothing chosen in a slot < k can be forgotten: by R3 each member of Q holds all of it.
//    Without R3, a value chosen by {i, Y} could stay unknown to X, and {X, new i} lose it.
//  * A value chosen in a slot > k with votes of the old i has a ballot b below B, since a master
//    above B that saw the admission does not count the old i, and one above B without the new
//    generation must see it: its majority under the old generations holds f of the 2f others at
//    least, so it meets Q. The master of B saw that value in its own phase 1, under the old
//    generations; so it was open together with the admission, and by R5 a majority of the others
//    has voted for it before any replica takes the admission for chosen.
//  * A replica that takes the admission for chosen asks a majority under the new generations; it
//    meets Q and the majorities of R5, each in a replica that remembers. A replica that only sees
//    it reported asks both majorities. Promises and votes of the old disk that are still in flight
//    carry the old generation and count nowhere after k.
//  * Ballots contain the generation: the new disk never reuses a ballot of the old one.
// By induction over the admissions of a log the same holds for any number of them.
//
// WHY A NEW DISK NEED NOT HONOUR THE GRANTS OF THE LOST ONE (lease.h)
//
// Let the old disk of i have granted a lease to the master of ballot m. A promise of the new disk
// to another candidate counts only after the admission (i, g), chosen in slot k at ballot B by Q.
// The master of B proposed it after the loss, because the new disk had asked for it.
//  * B < m is impossible. The master of m was elected before the grant, so before the loss, by a
//    majority that meets Q in another replica than i. That one refuses B after it has promised m;
//    and if it had voted at B before, its promise reports the admission, and R4 applies.
//  * B = m. Each member of Q voted after the loss, and its vote is a later grant to the same master
//    than the lost one was. A candidate's majority meets Q in another replica than i. That one
//    promises nothing above m until its own grant is over. Below m it grants nothing, so such a
//    candidate may win promises, but no lease. A member of Q that lost its disk since then was
//    admitted later than i: the same argument applies to that admission.
//  * B > m. The master of B was elected without the new disk, after the lease of m was over.
//
// Liveness: f disks may be lost at a time. With more there is no majority of the others: nothing is
// chosen any more, and agreement still holds. Until the group knows that an admission is chosen, a
// further failure among f + 1 others may stop it; it continues when that one is back.
//
// SPEC B-18.
#pragma once

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/paxos/value.h"

namespace photon::paxos {

class Generations {
 public:
  Generations() = default;
  explicit Generations(std::uint32_t replicas) : in_force_(replicas, kFirstGeneration) {
    PHOTON_CHECK(replicas <= kMaxReplicas, "a group has at most kMaxReplicas members");
  }

  Generation of(ReplicaIndex replica) const {
    PHOTON_CHECK(replica < in_force_.size(), "every member has a generation");
    return in_force_[replica];
  }
  bool in_force(ReplicaIndex replica, Generation generation) const {
    PHOTON_CHECK(replica < in_force_.size(), "every member has a generation");
    return in_force_[replica] == generation;
  }
  // An admission of an older generation than the present one changes nothing: false.
  bool admit(const Admission& admission) {
    if (admission.replica >= in_force_.size()) return false;
    Generation& present = in_force_[admission.replica];
    if (admission.generation <= present) return false;
    present = admission.generation;
    return true;
  }
  std::size_t size() const { return in_force_.size(); }
  // No disk has another generation.
  bool is_possible() const {
    return std::ranges::all_of(in_force_, [](Generation each) {
      return each >= kFirstGeneration && each <= kMaxGeneration;
    });
  }

  friend bool operator==(const Generations&, const Generations&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.in_force_);
  }

 private:
  PooledVector<Generation> in_force_;  // of replica i at [i]
};

}  // namespace photon::paxos
