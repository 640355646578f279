// The replica that hands mastership over, or takes it over (handover.h).
#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/paxos/replica.h"

namespace photon::paxos {

void Replica::on(Step& step, const HandOver& event) {
  auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || master->serving == Serving::no || master->handover.pending()) {
    PHOTON_MARK("paxos.handover.not_now");
    return;
  }
  if (event.to >= config_.replicas || event.to == config_.self) {
    PHOTON_MARK("paxos.handover.to_itself");
    return;
  }
  master->handover = Handover{event.to, step.now + config_.election_timeout};
}

// H1: when the last slot is closed, asks the target, and all others.
void Replica::consider_handover(Step& step) {
  auto* master = std::get_if<Master>(&role_);
  if (master == nullptr || !master->handover.pending()) return;
  PHOTON_CHECK(master->handover.target < config_.replicas, "mastership is handed to a member");
  PHOTON_CHECK(master->handover.target != config_.self, "mastership is handed to another replica");
  PHOTON_LIMIT("paxos.handover.give_up", step.now, master->handover.give_up);
  if (step.now >= master->handover.give_up) {
    PHOTON_MARK("paxos.handover.given_up");
    master->handover = {};
    return;
  }
  if (!master->open.empty() || master->handover.closed_at != MonotonicTime::max()) return;
  master->handover.closed_at = step.now;
  send_heartbeat(step);
}

// H1, H2: the sender of `answer` is fit to be master.
void Replica::hand_over(Step& step, const Answer& answer) {
  auto& master = std::get<Master>(role_);
  const bool fit = answer.wants_from == 0 && generations_.in_force(answer.from, answer.generation);
  if (answer.from == config_.preferred_master) consider_return(step, master, fit);
  if (!fit || answer.from != master.handover.target) return;
  PHOTON_CHECK(master.open.empty() || master.handover.closed_at == MonotonicTime::max(),
               "no slot is opened while a hand-over waits for its target");
  PHOTON_LIMIT("paxos.handover.answer", answer.sent_at, master.handover.closed_at);
  if (answer.sent_at < master.handover.closed_at) {
    PHOTON_MARK("paxos.handover.answer_too_old");
    return;
  }
  PHOTON_MARK("paxos.handover.done");
  const Transfer transfer{config_.group, master.ballot, commit_};
  step_down(step);
  role_ = Follower{Ballot{}, step.now + election_delay()};
  send(step, ReplicaSet::only(answer.from), transfer);
}

void Replica::consider_return(Step& step, Master& master, bool fit) {
  if (config_.return_after == Duration{} || config_.preferred_master == config_.self) return;
  if (!fit) {
    PHOTON_MARK("paxos.return.unfit");
    master.preferred = {};
    return;
  }
  master.preferred.confirm(step.now, 2 * config_.heartbeat);
  if (!master.preferred.lasts(step.now, config_.return_after)) return;
  PHOTON_MARK("paxos.return.requested");
  master.preferred = {};  // if it fails, not again at once
  on(step, HandOver{config_.preferred_master});
}

// H3.
void Replica::handle(Step& step, ReplicaIndex from, const Transfer& message) {
  if (owner_of(message.ballot) != from) return;
  if (message.ballot != acceptor_.promised() || !std::holds_alternative<Follower>(role_)) {
    PHOTON_MARK("paxos.transfer.outdated");
    return;
  }
  if (learn(message.ballot, message.commit) != 0) {
    // A replica that has acknowledged that it lacks nothing has the values on its disk.
    PHOTON_MARK("paxos.transfer.lacks_values");
    return;
  }
  PHOTON_MARK("paxos.transfer.stands");
  stand_for_election(step, message.ballot);
}

// H4.
void Replica::release_grant(Ballot released) {
  if (released != Ballot{} && acceptor_.promised() <= released) {
    PHOTON_MARK("paxos.transfer.grant_released");
    grant_ = {};
  }
}

}  // namespace photon::paxos
