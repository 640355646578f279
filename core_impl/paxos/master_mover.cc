#include "core_impl/paxos/master_mover.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon::paxos {

MasterMover::MasterMover(MasterMoverOptions options) : options_(std::move(options)) {
  PHOTON_CHECK(options_.to < options_.members.size(), "the target master is a member");
  PHOTON_CHECK(options_.retry_delay > Duration::zero(), "a repeated request waits");
}

void MasterMover::on_start(Context& context) {
  const Duration wait = options_.at - context.wall();
  if (wait < Duration::zero()) {
    PHOTON_MARK("paxos.move.comes_too_late");
    outcome_ = MoveOutcome::given_up;
    return;
  }
  give_up_ = context.now() + wait + options_.time_limit;
  context.set_timer(kTimer, context.now() + wait);
}

void MasterMover::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void MasterMover::on_io(Context&, Ticket, IoResult&) {
  PHOTON_CHECK(false, "an operator writes nothing");
}

void MasterMover::on_timer(Context& context, TimerKind) {
  if (outcome_) return;
  if (context.now() >= give_up_) {
    PHOTON_MARK("paxos.move.given_up");
    outcome_ = MoveOutcome::given_up;
    return;
  }
  if (request_ > 0) PHOTON_MARK("paxos.move.asks_again");
  ask(context);
}

void MasterMover::ask(Context& context) {
  const Body body = Body::make(Envelope{MoveMaster{options_.group, options_.to, ++request_}});
  for (const NodeId member : options_.members) context.send(member, body);
  context.set_timer(kTimer, context.now() + options_.retry_delay);
}

// An answer to an earlier request also shows that the target was master after it was asked.
void MasterMover::on(Context& context, NodeId from, const Envelope& message) {
  PHOTON_CHECK(std::holds_alternative<MasterReport>(message.payload),
               "replicas send reports to an operator, and nothing else");
  const auto& report = std::get<MasterReport>(message.payload);
  if (outcome_ || report.group != options_.group || report.request == 0) {
    PHOTON_MARK("paxos.move.late_report");
    return;
  }
  if (from != options_.members[options_.to] || report.authority == Authority::no) {
    PHOTON_MARK("paxos.move.not_yet");
    return;
  }
  outcome_ = MoveOutcome::moved;
  context.cancel_timer(kTimer);
}

}  // namespace photon::paxos
