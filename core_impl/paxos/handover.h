// Handing mastership over: at an operator's wish, or back to the preferred master.
//
//  H1  The master proposes nothing new, waits until no slot is open, and then until the target has
//      acknowledged a message sent after that and lacks nothing. If that takes too long it goes on
//      as if nobody had asked.
//  H2  In one step it gives up its authority and sends Transfer, which names its ballot b. Nobody
//      is ever master at b again: this life follows, the next one chooses a higher ballot.
//  H3  The target, if b is still the highest ballot that it has promised, stands for election at
//      once. Its Prepare says `released` = b.
//  H4  Who gets that and has promised nothing above b drops the lease that it granted.
//
// Leases still do not overlap (B-11). A replica grants only at ballots that it has promised,
// durably, so one that has promised nothing above b has granted to masters of ballots <= b alone.
// The master of b has given up before anybody could know of b's release. Those below b lost their
// authority before b began to serve, and only a serving master hands over. Whoever has promised
// more than b keeps its grant, whatever it is told, how late ever that comes. Agreement does not
// rest on any of this: the election is one like any other.
//
// If the Transfer is lost, the target dies or somebody else is faster, the followers' timers run
// out as after the death of a master. Nothing but time is lost.
//
// With Config::return_after a master that is not the preferred one hands over by itself, when the
// preferred one has lacked nothing for so long without a pause: a placement outlives failovers.
//
// SPEC B-11, B-19 (masters' placement is a policy). Photon section 2.1 leaves it open.
#pragma once

#include "core_impl/paxos/types.h"

namespace photon::paxos {

// To whom a master is about to hand over.
struct Handover {
  ReplicaIndex target = kNoReplica;  // kNoReplica: to nobody
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
