// The replica as acceptor and follower.
#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/paxos/replica.h"

namespace photon::paxos {

void Replica::write(Step& step, std::optional<LogRecord> record) {
  if (!record) return;
  ++issued_;
  step.out.records.push_back(*std::move(record));
}

bool Replica::reject_below_promise(Step& step, ReplicaIndex from, Ballot ballot) {
  PHOTON_LIMIT("paxos.promise.ballot", ballot, acceptor_.promised());
  if (ballot >= acceptor_.promised()) return false;
  PHOTON_MARK("paxos.follower.rejects");
  send(step, ReplicaSet::only(from), Reject{config_.group, ballot, acceptor_.promised()});
  return true;
}

void Replica::handle(Step& step, ReplicaIndex from, const Prepare& message) {
  if (owner_of(message.ballot) != from) return;
  highest_round_seen_ = std::max(highest_round_seen_, round_of(message.ballot));
  if (reject_below_promise(step, from, message.ballot)) return;
  release_grant(message.released);
  // A running grant is honoured in silence: the candidate asks again.
  if (grant_.forbids(from, step.now)) {
    PHOTON_MARK("paxos.prepare.grant_honoured");
    return;
  }
  // A request for removed entries is ignored as well: such a candidate must not win.
  if (message.from_slot <= acceptor_.base()) {
    PHOTON_MARK("paxos.prepare.entries_gone");
    return;
  }
  if (from != config_.self) {
    step_down(step);
    role_ = Follower{Ballot{}, step.now + election_delay()};
  }
  write(step, acceptor_.promise(message.ballot));
  Promise promise{config_.group, message.ballot, message.from_slot, commit_, generation_, {}};
  acceptor_.report(message.from_slot, promise.accepted);
  send_when_durable(step, ReplicaSet::only(from), std::move(promise));
}

// The sender is the elected master of `ballot`, not below what was promised: obey and grant.
void Replica::follow(Step& step, Ballot ballot) {
  PHOTON_CHECK(ballot >= acceptor_.promised(), "a deposed master is not followed");
  PHOTON_CHECK(owner_of(ballot) != config_.self, "a master does not follow itself");
  if (!std::holds_alternative<Follower>(role_)) PHOTON_MARK("paxos.follow.gives_way");
  step_down(step);
  highest_round_seen_ = std::max(highest_round_seen_, round_of(ballot));
  role_ = Follower{ballot, step.now + election_delay()};
  grant_.renew(owner_of(ballot), step.now + config_.lease);
}

// Learns what the master of `ballot` knows to be chosen up to `commit`: an entry accepted here at
// that very ballot is the chosen one. Returns the first chosen slot whose value is missing here,
// or 0.
Slot Replica::learn(Ballot ballot, Slot commit) {
  Slot known = commit_;
  while (known < commit && acceptor_.entry(known + 1).ballot == ballot) ++known;
  set_commit(known);
  if (known >= commit) return 0;
  PHOTON_MARK("paxos.learn.value_missing");
  return known + 1;
}

// False if the value may not be accepted yet. An admission depends on everything before it, which
// must be known here, and durable first (generations.h, R3). A follower keeps room for at most
// kMaxGap slots that it knows nothing of.
bool Replica::accept(Step& step, Slot slot, Ballot ballot, const SharedBytes& value) {
  if (slot > acceptor_.last() && slot - acceptor_.last() > kMaxGap) return false;
  if (slot > acceptor_.base() && admission_in(value)) {
    if (commit_ + 1 < slot) {
      PHOTON_MARK("paxos.admission.not_acceptable_yet");
      return false;
    }
    record_commit(step);
  }
  write(step, acceptor_.accept(slot, ballot, value));
  return true;
}

void Replica::record_commit(Step& step) {
  if (commit_recorded_ == commit_) return;
  commit_recorded_ = commit_;
  write(step, LogRecord::commit(commit_));
}

void Replica::handle(Step& step, ReplicaIndex from, const Accept& message) {
  if (owner_of(message.ballot) != from || message.first_slot == 0) return;
  if (reject_below_promise(step, from, message.ballot)) return;
  follow(step, message.ballot);
  Accepted reply{
      config_.group, message.ballot, message.first_slot, 0, message.sent_at, generation_, {}};
  reply.value_hashes.reserve(message.values.size());
  Slot slot = message.first_slot;
  for (const SharedBytes& value : message.values) {
    if (admission_in(value)) learn(message.ballot, message.commit);
    if (!accept(step, slot++, message.ballot, value)) break;
    reply.value_hashes.push_back(value.hash());
  }
  write(step, acceptor_.promise(message.ballot));  // if no acceptance was written that implies it
  reply.wants_from = learn(message.ballot, message.commit);
  send_when_durable(step, ReplicaSet::only(from), std::move(reply));
}

void Replica::handle(Step& step, ReplicaIndex from, const Heartbeat& message) {
  if (owner_of(message.ballot) != from) return;
  if (reject_below_promise(step, from, message.ballot)) return;
  follow(step, message.ballot);
  // The grant is worth nothing if this replica forgets the ballot it was given to.
  write(step, acceptor_.promise(message.ballot));
  const Slot wants_from = learn(message.ballot, message.commit);
  send_when_durable(
      step, ReplicaSet::only(from),
      HeartbeatAck{config_.group, message.ballot, wants_from, message.sent_at, generation_});
}

// An old offer is valid too: a snapshot stays a fact.
void Replica::handle(Step& step, ReplicaIndex from, const SnapshotOffer& message) {
  if (!can_install(message.through)) {
    PHOTON_MARK("paxos.offer.not_needed");
    return;
  }
  step.out.offer = Offered{from, message.through};
}

}  // namespace photon::paxos
