// Rounds of heartbeats that may be left out (runtime/rounds.h).
//
// A heartbeat and its acknowledgements change only times if nothing is open, the follower has what
// the heartbeat states, and no replica waits for a disk. Then the master's times follow from when
// it sent its last heartbeats, a follower's from when the last one arrived.
#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/paxos/replica.h"

namespace photon::paxos {

// Each step hands out what is chosen, and messages wait for records alone.
bool Replica::is_settled() const { return durable_ == issued_; }

// Every replica has acknowledged the last message, a heartbeat that stated all that is chosen. So
// no answer to it is under way, and no earlier message that arrives in time.
std::optional<Replica::IdleRounds> Replica::idle_rounds() const {
  const auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || master->serving == Serving::no || config_.lease == Duration{}) return {};
  const bool busy = !master->open.empty() || master->admission || master->handover.pending();
  if (busy || !is_settled() || master->announced != commit_) return {};
  // A master that is about to hand over to the preferred one counts the time of each round.
  if (config_.return_after != Duration{} && config_.preferred_master != config_.self) return {};
  const MonotonicTime sent_at = master->heartbeat_due - config_.heartbeat;
  for (ReplicaIndex each = 0; each < config_.replicas; ++each) {
    if (!master->up_to_date.contains(each)) return {};
    if (!master->grants.is_latest(config_, each, sent_at)) return {};
  }
  // Half of the time that remains when the next heartbeat is sent: clocks differ.
  const Duration rest = counted_lease(config_) - config_.heartbeat;
  return IdleRounds{master->heartbeat_due, std::min(config_.heartbeat, rest) / 2};
}

bool Replica::follows_idly() const {
  const auto* follower = std::get_if<Follower>(&role_);
  return follower != nullptr && follower->following != Ballot{} &&
         follower->following == acceptor_.promised() && is_settled();
}

void Replica::rounds_passed(Duration time) {
  auto* master = std::get_if<Master>(&role_);
  PHOTON_CHECK(master != nullptr && time >= Duration::zero(), "a master leaves out later rounds");
  master->heartbeat_due += time;
  master->lease_until += time;
  master->grants.pass(time);
  grant_.until += time;
}

}  // namespace photon::paxos
