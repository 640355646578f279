#include "analysis/oracles/j_p8_return_follows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace photon::analysis {

std::span<const Interest> ReturnFollows::kinds() const {
  static constexpr Interest kKinds[] = {
      sent(trace::Kind::registry_ask), delivered(trace::Kind::registry_answer),
      naming(trace::Kind::operation_applied), trace::Kind::click_reinjected,
      trace::Kind::process_started};
  const bool checked = config().verified() && config().restart_bound > Duration::zero() &&
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
      verifiers_.of(fact.header()).started = fact.header().at;
      return;
    default:
      on_returned(fact);
  }
}

void ReturnFollows::on_asked(const Fact& fact) {
  if (fact.as<trace::RegistryAsk>().operation != trace::RegistryOperation::remove) return;
  const trace::Header& header = fact.header();
  const std::uint64_t request = fact.as<trace::RegistryAsk>().request;
  Asked& by = asked_[fact.event];
  const bool repeated =
      by.verifier == header.node && by.life == header.incarnation && by.request == request;
  if (!repeated) by = {header.node, header.incarnation, request};
  const auto found = removed_.find(fact.event);
  if (found == removed_.end() || found->second.by.verifier != by.verifier) return;
  if (found->second.by.life == by.life) return;
  found->second.by.life = by.life;  // what the life before knew is lost
  found->second.known = kNever;
  examine_again(fact.event, found->second, fact.header().at);
}

void ReturnFollows::on_answered(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (answer.operation != trace::RegistryOperation::remove || !trace::is_definitive(answer.code)) {
    return;
  }
  const trace::Header& header = fact.header();
  const auto asked = asked_.find(fact.event);
  const bool its = asked != asked_.end() && asked->second.verifier == header.node &&
                   asked->second.life == header.incarnation &&
                   asked->second.request == answer.request;
  if (!its || std::exchange(asked->second.answered, true)) return;
  const auto found = removed_.find(fact.event);
  if (found == removed_.end() || found->second.known != kNever) return;
  if (found->second.by.verifier != header.node) return;
  found->second.known = header.at;
  // Its boundary may have passed the click since, or another owner have come: nothing to return.
  const bool absent =
      answer.code == trace::RegistryCode::removed || answer.code == trace::RegistryCode::not_found;
  if (!absent) {
    removed_.erase(found);
    return;
  }
  Verifier& verifier = verifiers_.of(header);
  verifier.to_return.push_back(fact.event);
  if (!verifier.issued.empty()) return;
  verifier.due = header.at;
  due_.push_back(header.node);
}

void ReturnFollows::on_returned(const Fact& fact) {
  const trace::Header& header = fact.header();
  if (header.source == trace::Source::issued) {
    Verifier& verifier = verifiers_.of(header);
    verifier.issued.insert(fact.event);
    verifier.last_issued = header.at;
    std::erase(verifier.to_return, fact.event);
    return;
  }
  if (header.source != trace::Source::durable) return;
  removed_.erase(fact.event);
  Verifier& verifier = verifiers_[header.node];
  verifier.issued.erase(fact.event);
  const bool alive = verifier.life == header.incarnation && !verifier.to_return.empty();
  if (!alive || !verifier.issued.empty()) return;
  verifier.due = header.at;
  due_.push_back(header.node);
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
  // If no process has asked for it: J-S11.
  if (asked == asked_.end() || asked->second.answered) return;
  oblige();
  Removed& removed = removed_[fact.event];
  removed = {fact.header().at, applied.slot, asked->second};
  examine_again(fact.event, removed, fact.header().at);
}

void ReturnFollows::check_due(NodeId node, Verifier& verifier) {
  verifier.due = kNever;
  const NodeFacts& facts = join_.node(node);
  const bool lives = facts.alive && facts.life == verifier.life;
  if (!lives || !verifier.issued.empty()) return;
  const SimTime fault_free = join_.fault_free_since();
  const bool knows = verifier.last_issued == kNever ||
                     (fault_free != kNever && fault_free <= verifier.last_issued);
  for (const std::uint32_t click : std::exchange(verifier.to_return, {})) {
    const auto found = removed_.find(click);
    if (found == removed_.end()) continue;
    if (!knows) {
      found->second.known = kNever;
      found->second.waits_for_log = true;
      examine_again(click, found->second, now());
      continue;
    }
    accuse(click, found->second, "and it did not write the return to its log");
    removed_.erase(found);
  }
}

SimTime ReturnFollows::limit(const Removed& removed) {
  const SimTime fault_free = join_.fault_free_since();
  if (fault_free == kNever) return kNever;
  const NodeFacts& node = join_.node(removed.by.verifier);
  const SimTime started = verifiers_[removed.by.verifier].started;
  const SimTime from = std::max({removed.at, fault_free, started});
  const bool restarted = !node.alive || node.life != removed.by.life || started > removed.at;
  const bool longer = restarted || removed.waits_for_log;
  return from + config().commit_bound + (longer ? config().restart_bound : Duration{0});
}

void ReturnFollows::examine_again(std::uint32_t click, Removed& removed, SimTime at) {
  removed.examined = at;
  deadlines_.push({removed.examined, click});
}

void ReturnFollows::examine(SimTime now) {
  for (const NodeId node : due_) {
    if (verifiers_[node].due < now) check_due(node, verifiers_[node]);
  }
  std::erase_if(due_, [&](NodeId node) { return verifiers_[node].due == kNever; });
  while (!deadlines_.empty() && deadlines_.top().at < now) {
    const auto [at, click] = deadlines_.top();
    deadlines_.pop();
    const auto found = removed_.find(click);
    if (found == removed_.end() || found->second.examined != at) continue;
    Removed& removed = found->second;
    const NodeFacts& node = join_.node(removed.by.verifier);
    const bool known = removed.known != kNever && node.alive && node.life == removed.by.life;
    const SimTime until = limit(removed);
    if (known || until >= now) {  // an answered one may still lose its verifier
      const bool wait = known || until == kNever;
      examine_again(click, removed, wait ? now + config().commit_bound : until);
      continue;
    }
    removed.known = kNever;  // what an earlier life knew is lost
    accuse(click, removed,
           removed.waits_for_log ? "and the return is not durable" : "and it has no answer");
    removed_.erase(found);
  }
}

void ReturnFollows::accuse(std::uint32_t click, const Removed& removed, std::string_view why) {
  const Click& facts = join_.click(click);
  const bool by_time = removed.known == kNever;
  if (by_time && join_.expiry_of(facts) <= limit(removed)) return;
  report_at_end(removed.by.verifier, facts.id,
                fmt::format("the id was removed at {} (slot {}); the verifier {}, {}",
                            describe(removed.at), removed.slot,
                            by_time ? fmt::format("could know that by {}", describe(limit(removed)))
                                    : fmt::format("knew that at {}", describe(removed.known)),
                            why));
}

void ReturnFollows::finish(Liveness liveness) {
  if (liveness == Liveness::checked) examine(now());
}

}  // namespace photon::analysis
