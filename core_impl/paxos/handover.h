// Handing mastership over: on an operator's request, or back to the preferred master.
//
//  H1  The master proposes nothing new and waits until no slot is open. Then it waits until the
//      target has acknowledged a message sent after that and lacks nothing. After a time limit the
//      master drops the request and continues.
//  H2  In one step it gives up its authority and sends Transfer, which names its ballot b. No
//      replica is ever master at b again: this life follows, the next one chooses a higher ballot.
//  H3  The target, if b is still the highest ballot that it has promised, stands for election at
//      once. Its Prepare says `released` = b.
//  H4  A receiver of that Prepare which has promised nothing above b drops the lease that
//      it granted.
//
// Leases still do not overlap (B-11). A replica grants only at ballots that it has promised,
// durably, so one that has promised nothing above b has granted to masters of ballots <= b alone.
// The master of b has given up its authority before any replica could know of b's release. Those
// below b lost their authority before b began to serve, and only a serving master hands over. A
// replica that has promised more than b keeps its grant, however late the Prepare arrives. A new
// disk may have forgotten such a promise; it need not honour the lost grant (generations.h).
// Agreement does not depend on any of this: the election is like any other.
//
// If the Transfer is lost, the target dies or another candidate is faster, the followers' timers
// run out as after the death of a master. Only time is lost.
//
// With Config::return_after a master that is not the preferred one hands over by itself, once
// the preferred one has lacked nothing for that duration without a pause: a placement
// outlives failovers.
//
// SPEC B-11, B-19 (masters' placement is a policy). Photon section 2.1 leaves it open.
#pragma once

#include "core_impl/base/check.h"
#include "core_impl/paxos/types.h"

namespace photon::paxos {

// The replica to which a master is about to hand over.
struct Handover {
  ReplicaIndex target = kNoReplica;  // kNoReplica: none
  MonotonicTime give_up{};
  MonotonicTime closed_at = MonotonicTime::max();  // no slot is open since then

  bool pending() const { return target != kNoReplica; }

  friend bool operator==(const Handover&, const Handover&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.target, self.give_up, self.closed_at);
  }
};

// How long the preferred master has been fit to take over.
struct Fitness {
  MonotonicTime since = MonotonicTime::max();
  MonotonicTime latest = MonotonicTime::min();  // its last answer

  void confirm(MonotonicTime now, Duration longest_pause) {
    PHOTON_CHECK(latest == MonotonicTime::min() || now >= latest,
                 "answers are confirmed in the order of time");
    if (latest == MonotonicTime::min() || now - latest > longest_pause) since = now;
    latest = now;
  }
  bool lasts(MonotonicTime now, Duration enough) const {
    return since <= now && now - since >= enough;
  }

  friend bool operator==(const Fitness&, const Fitness&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.since, self.latest);
  }
};

}  // namespace photon::paxos
