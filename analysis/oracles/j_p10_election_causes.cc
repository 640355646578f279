#include "analysis/oracles/j_p10_election_causes.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

std::span<const Interest> ElectionCauses::kinds() const {
  static constexpr Interest kKinds[] = {
      sent(trace::Kind::paxos_prepare),      delivered(trace::Kind::paxos_prepare),
      sent(trace::Kind::paxos_accept),       delivered(trace::Kind::paxos_accept),
      sent(trace::Kind::paxos_heartbeat),    delivered(trace::Kind::paxos_heartbeat),
      durable(trace::Kind::paxos_formatted), durable(trace::Kind::paxos_promise),
      durable(trace::Kind::paxos_accepted),  trace::Kind::process_started,
      trace::Kind::process_crashed,          sent(trace::Kind::paxos_granted)};
  const bool checked = config().election_timeout > Duration::zero();
  return checked ? std::span(kKinds) : std::span<const Interest>();
}

void ElectionCauses::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  Replica& replica = replicas_[header.node];
  switch (header.kind) {
    case trace::Kind::process_started:
      replica.began = fact.at();
      replica.quiet_since = replica.blank ? SimTime::min() : fact.at();
      replica.own = 0;
      replica.elected = false;
      replica.paid = 0;
      return;
    case trace::Kind::process_crashed:
      last_death_ = header.at;
      return;
    case trace::Kind::paxos_prepare:
      if (fact.source() == trace::Source::sent) return on_prepare(fact);
      replica.highest = std::max(replica.highest, fact.as<trace::PaxosPrepare>().ballot);
      return;
    case trace::Kind::paxos_accept:
      return on_master(fact, fact.as<trace::PaxosAccept>().ballot);
    case trace::Kind::paxos_heartbeat:
      on_master(fact, fact.as<trace::PaxosHeartbeat>().ballot);
      if (fact.source() == trace::Source::delivered && replica.paid > 0 && !replica.to_answer) {
        replica.to_answer = fact.as<trace::PaxosHeartbeat>();
      }
      return;
    case trace::Kind::paxos_granted:
      return on_answer(fact);
    default:
      return on_disk(fact);
  }
}

void ElectionCauses::on_master(const Fact& fact, std::uint64_t ballot) {
  Replica& replica = replicas_[fact.header().node];
  if (fact.source() == trace::Source::sent) {
    replica.elected = replica.elected || ballot == replica.own;
    return;
  }
  if (ballot < replica.highest) return;
  if (was_quiet(replica, fact.at())) {
    ++replica.paid;
    replica.to_answer.reset();
  }
  replica.highest = ballot;
  replica.quiet_since = fact.at();
}

// Answers wait for all that was written before them.
void ElectionCauses::on_answer(const Fact& fact) {
  Replica& replica = replicas_[fact.header().node];
  const auto& granted = fact.as<trace::PaxosGranted>();
  const auto& asked = replica.to_answer;
  if (asked && granted.ballot == asked->ballot && granted.stamp == asked->stamp) {
    replica.paid = 0;
  }
}

void ElectionCauses::on_disk(const Fact& fact) {
  Replica& replica = replicas_[fact.header().node];
  switch (fact.header().kind) {
    case trace::Kind::paxos_promise:
      replica.highest = std::max(replica.highest, fact.as<trace::PaxosPromise>().ballot);
      break;
    case trace::Kind::paxos_accepted:
      replica.highest = std::max(replica.highest, fact.as<trace::PaxosAccepted>().ballot);
      break;
    default:  // formatted
      replica.highest = 0;
      replica.quiet_since = SimTime::min();
      replica.blank = true;
      return;
  }
  replica.blank = false;
}

void ElectionCauses::on_prepare(const Fact& fact) {
  const auto& prepare = fact.as<trace::PaxosPrepare>();
  const trace::Header& header = fact.header();
  Replica& replica = replicas_[header.node];
  if (prepare.ballot == replica.own) return;  // again, or to another replica
  Begun& begun = begun_[prepare.group];
  oblige();
  if (prepare.released == 0) {
    const std::string_view why = unexplained(replica, begun.by_others_than(header.node), fact.at());
    if (!why.empty()) {
      report(fact, {}, fmt::format("a replica stands for election without a cause: {}", why));
    }
  }
  replica.own = prepare.ballot;
  replica.quiet_since = earliest_ballot(replica, fact.at());
  replica.elected = false;
  if (replica.paid > 0) --replica.paid;
  replica.highest = std::max(replica.highest, prepare.ballot);
  begun.note(header.node, prepare.ballot);
}

void ElectionCauses::Begun::note(NodeId node, std::uint64_t ballot) {
  if (ballot <= highest) {
    if (node != by) of_others = std::max(of_others, ballot);
    return;
  }
  if (node != by) of_others = highest;
  by = node;
  highest = ballot;
}

// A ballot is sent when a disk has it, which may take long. It began after its cause.
SimTime ElectionCauses::earliest_ballot(const Replica& replica, SimTime now) const {
  const Duration timeout = config().election_timeout;
  if (replica.quiet_since == SimTime::min()) return replica.began;
  if (replica.paid > 0 || !was_quiet(replica, now)) return replica.quiet_since;
  return replica.quiet_since + (timeout - config().unsure(timeout));
}

bool ElectionCauses::was_quiet(const Replica& replica, SimTime now) const {
  const Duration timeout = config().election_timeout;
  return replica.quiet_since == SimTime::min() ||
         now >= replica.quiet_since + (timeout - config().unsure(timeout));
}

std::string_view ElectionCauses::unexplained(Replica& replica, std::uint64_t others,
                                             SimTime now) const {
  if (replica.paid > 0 || was_quiet(replica, now)) return "";
  if (!replica.elected) {
    return "the election time-out has not passed since it heard a master, stood, or began to live";
  }
  const bool alive = last_death_ < replica.answered_at;
  const bool unseen = replica.answered != 0 && others <= replica.answered && alive;
  replica.answered = others > replica.own ? 0 : replica.own;
  replica.answered_at = now;
  return unseen ? "it was elected, and no other replica has begun a ballot above its last one" : "";
}

}  // namespace photon::analysis
