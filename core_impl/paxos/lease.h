// The master's lease: which followers have promised to keep others out, and until when.
//
// A follower that acknowledges a message of the master at its own time t grants: until t + lease on
// its own monotonic clock it promises no ballot of another candidate. The master counts each grant
// from the moment it SENT the acknowledged message, on its own clock, shortened so that even with
// the worst rate errors of both clocks the grant ends later than the master believes. Authority
// ends when fewer than a majority of grants are running. A new master needs promises of a majority,
// hence of a replica whose grant has run out: intervals of authority never overlap in true time
// (B-11). Agreement does not depend on any of this.
//
// A replica does not store its grants. A restarted one waits for the length of one lease before it
// promises anything, or until it follows a master: its disk holds the promise to the master that it
// granted to, so it follows no earlier one. A new disk holds no promise and may follow an earlier
// one; generations.h states why that is harmless.
#pragma once

#include <array>
#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/paxos/types.h"

namespace photon::paxos {

// What a follower has granted.
struct LeaseGrant {
  ReplicaIndex holder = kNoReplica;  // kNoReplica while `until` runs: unknown, so none may pass
  MonotonicTime until = MonotonicTime::min();

  bool forbids(ReplicaIndex candidate, MonotonicTime now) const {
    if (candidate != holder) PHOTON_LIMIT("paxos.lease.grant_end", now, until);
    return now < until && candidate != holder;
  }
  // A master of a newer ballot was elected by a majority, so no older lease is running any more:
  // its grant replaces whatever was granted before.
  void renew(ReplicaIndex master, MonotonicTime ends);

  friend bool operator==(const LeaseGrant&, const LeaseGrant&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.holder, self.until);
  }
};

// What a master has been granted, per replica, its own included. The grant of a lost disk stays in
// it and supports no claim: the majority that admitted the next disk granted later (generations.h).
class LeaseCount {
 public:
  // `from` acknowledged what was sent at `sent_at`.
  void acknowledge(const Config& config, ReplicaIndex from, MonotonicTime sent_at);
  // `from` has acknowledged what was sent at `sent_at`, and nothing later.
  bool is_latest(const Config& config, ReplicaIndex from, MonotonicTime sent_at) const;
  // Rounds that renew every grant were left out (runtime/rounds.h).
  void pass(Duration time);
  // The instant until which a majority of grants certainly run; min() if there is none yet.
  MonotonicTime majority_until(const Config& config) const;

  friend bool operator==(const LeaseCount&, const LeaseCount&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    for (auto& time : self.until_) visit(time);
  }

 private:
  static constexpr std::array<MonotonicTime, kMaxReplicas> nothing() {
    std::array<MonotonicTime, kMaxReplicas> times{};
    times.fill(MonotonicTime::min());
    return times;
  }
  std::array<MonotonicTime, kMaxReplicas> until_ = nothing();
};

// The part of `lease` that a master may count: lease * (1 - 2 * drift), rounded down.
Duration counted_lease(const Config& config);

}  // namespace photon::paxos
