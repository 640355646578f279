#include "analysis/oracles/j_p8_return_follows.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

std::span<const Interest> ReturnFollows::kinds() const {
  static constexpr Interest kKinds[] = {
      sent(trace::Kind::registry_ask),        delivered(trace::Kind::registry_answer),
      naming(trace::Kind::operation_applied), durable(trace::Kind::click_reinjected),
      trace::Kind::process_started};
  const bool checked = config().verified() && config().return_bound > Duration::zero() &&
                       config().commit_bound > Duration::zero();
  return checked ? std::span(kKinds) : std::span<const Interest>();
}

void ReturnFollows::on_fact(const Fact& fact) {
  examine(fact.header().at);
  switch (fact.header().kind) {
    case trace::Kind::registry_ask:
      return on_asked(fact);
    case trace::Kind::registry_answer:
      return on_answered(fact);
    case trace::Kind::operation_applied:
      return on_applied(fact);
    case trace::Kind::process_started:
      started_[fact.header().node] = fact.header().at;
      return;
    default:  // click_reinjected
      removed_.erase(fact.event);
  }
}

void ReturnFollows::on_asked(const Fact& fact) {
  if (fact.as<trace::RegistryAsk>().operation != trace::RegistryOperation::remove) return;
  const trace::Header& header = fact.header();
  asked_[fact.event] = {header.node, header.incarnation};
  const auto found = removed_.find(fact.event);
  if (found != removed_.end() && found->second.verifier == header.node) {
    found->second.life = header.incarnation;
  }
}

void ReturnFollows::on_answered(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (answer.operation != trace::RegistryOperation::remove || !trace::is_definitive(answer.code)) {
    return;
  }
  const trace::Header& header = fact.header();
  const auto found = removed_.find(fact.event);
  if (found == removed_.end()) return;
  Removed& removed = found->second;
  const bool its = removed.verifier == header.node && removed.life == header.incarnation;
  if (!its || removed.known != kNever) return;
  removed.known = header.at;
  examine_again(fact.event, removed);
}

void ReturnFollows::on_applied(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (applied.fresh == 0) return;
  if (applied.operation == trace::RegistryOperation::insert) {
    removed_.erase(fact.event);
    return;
  }
  if (applied.operation != trace::RegistryOperation::remove) return;
  const auto asked = asked_.find(fact.event);
  if (asked == asked_.end()) return;  // by nobody that the trace shows: J-S11
  oblige();
  Removed& removed = removed_[fact.event];
  removed = {fact.header().at, applied.slot, asked->second.verifier, asked->second.life};
  examine_again(fact.event, removed);
}

SimTime ReturnFollows::limit(const Removed& removed) const {
  const SimTime fault_free = join_.fault_free_since();
  if (fault_free == kNever) return kNever;
  const NodeFacts& verifier = join_.node(removed.verifier);
  const bool same_life = verifier.alive && verifier.life == removed.life;
  Duration time = config().return_bound;
  SimTime from = std::max(removed.at, fault_free);
  if (same_life && removed.known != kNever) return std::max(removed.known, fault_free) + time;
  time += config().commit_bound;
  if (same_life) return from + time;
  const SimTime* const started = started_.find(removed.verifier);
  if (started != nullptr) from = std::max(from, *started);
  return from + time + config().restart_bound;
}

void ReturnFollows::examine_again(std::uint32_t click, Removed& removed) {
  const SimTime until = limit(removed);
  removed.examined = until == kNever ? now() + config().return_bound : until;
  deadlines_.push({removed.examined, click});
}

void ReturnFollows::examine(SimTime now) {
  while (!deadlines_.empty() && deadlines_.top().at < now) {
    const auto [at, click] = deadlines_.top();
    deadlines_.pop();
    const auto found = removed_.find(click);
    if (found == removed_.end() || found->second.examined != at) continue;
    Removed& removed = found->second;
    const SimTime until = limit(removed);
    if (until == kNever || until >= now) {
      examine_again(click, removed);
      continue;
    }
    accuse(click, removed);
    removed_.erase(found);
  }
}

void ReturnFollows::accuse(std::uint32_t click, const Removed& removed) {
  const Click& facts = join_.click(click);
  if (join_.expiry_of(facts) <= limit(removed)) return;
  report_at_end(
      removed.verifier, facts.id,
      fmt::format("the id was removed at {} (slot {}); {}, and until {} the click was neither brought "
                  "back nor registered anew",
                  describe(removed.at), removed.slot,
                  removed.known == kNever ? std::string("no answer came to the verifier")
                                          : fmt::format("the verifier was answered at {}",
                                                        describe(removed.known)),
                  describe(limit(removed))));
}

void ReturnFollows::finish(Liveness liveness) {
  if (liveness == Liveness::checked) examine(now());
}

}  // namespace photon::analysis
