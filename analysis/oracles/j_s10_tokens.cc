#include "analysis/oracles/j_s10_tokens.h"

#include <fmt/format.h>

namespace photon::analysis {

void Tokens::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::incarnation_granted) return on_granted(fact);
  if (fact.header().kind == trace::Kind::operation_applied) return on_cleared(fact);
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (fact.source() != trace::Source::sent) return;
  if (config().registry_only() && !trace::is_read(ask.operation)) on_load(fact, ask);
  if (ask.operation != trace::RegistryOperation::insert) return;
  oblige();
  const trace::Header& header = fact.header();
  if (ask.token.is_empty()) {
    return report(fact, ask.id, "an insert was sent with the empty token");
  }
  const Attempt* known = join_.find_attempt(fact.event, ask.token);
  if (known != nullptr && known->node == header.node && known->life == header.incarnation) {
    // The same attempt's retry, unless the attempt is over.
    if (known->answered_at < header.at && !config().registry_only()) {
      report(
          fact, ask.id,
          fmt::format("token {} was sent again although its attempt got its definitive answer at "
                      "{}",
                      describe(ask.token), describe(known->answered_at)));
    }
    return;
  }
  if (const Attempt* other = join_.find_attempt(ask.token); other != nullptr) {
    return report(
        fact, ask.id,
        fmt::format("token {} is used by life {} of this process, but was used by {} in life {} "
                    "for {} at {}",
                    describe(ask.token), header.incarnation.value(), process(other->node),
                    other->life.value(), describe(join_.click(other->click).id),
                    describe(other->asked_at)));
  }
  if (ask.token.address != header.node.value()) {
    return report(
        fact, ask.id,
        fmt::format("token {} names another process than its sender", describe(ask.token)));
  }
  const Incarnation life = registry_.life_granted(ask.token.address, ask.token.incarnation);
  if (life != header.incarnation) {
    report(fact, ask.id,
           fmt::format("token {} names a life that was never granted to life {} of this process",
                       describe(ask.token), header.incarnation.value()));
  }
}

void Tokens::on_load(const Fact& fact, const trace::RegistryAsk& ask) {
  oblige();
  const auto* tally = registry_.requests_of(ask.token, ask.operation);
  if (tally != nullptr && tally->open > 0) return;
  report(fact, ask.id,
         fmt::format("token {} was sent, but no operation of the load that would need that is open",
                     describe(ask.token)));
}

void Tokens::on_cleared(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (fact.event == kNoIndex || applied.code != trace::RegistryCode::cleared) return;
  oblige();
  if (config().registry_only()) {
    const auto* tally = registry_.requests_of(applied.token, trace::RegistryOperation::clear);
    if (tally != nullptr && tally->ever) return;
    return report(fact, applied.id,
                  fmt::format("token {} was cleared at slot {} of shard {}, but the life that drew "
                              "it never asked for that",
                              describe(applied.token), applied.slot, applied.shard.value()));
  }
  if (applied.fresh == 0 || join_.click(fact.event).is_joined()) return;
  // Storage may lose the record while the clear is in flight.
  const Attempt* owner = join_.find_attempt(fact.event, applied.token);
  if (owner != nullptr && owner->output_durable) return;
  report(fact, applied.id,
         fmt::format("token {} was cleared at slot {} of shard {}, but no output is durable",
                     describe(applied.token), applied.slot, applied.shard.value()));
}

void Tokens::on_grant_sent(const Fact& fact, const trace::IncarnationGranted& grant) {
  const NodeFacts& node = join_.node(NodeId(grant.address));
  if (node.fenced == 0 && !node.is_joiner) return;  // another kind of process, or not known yet
  oblige();
  if (node.fenced >= grant.incarnation) return;
  report(fact, EventId{},
         fmt::format("life number {} is granted to {}, whose output files are fenced against lives "
                     "below {} only",
                     grant.incarnation, process(NodeId(grant.address)), node.fenced));
}

void Tokens::on_granted(const Fact& fact) {
  const auto& grant = fact.as<trace::IncarnationGranted>();
  if (fact.source() == trace::Source::sent) return on_grant_sent(fact, grant);
  if (grant.address != fact.header().node.value()) return;
  if (grant.request != fact.header().incarnation.value()) return;  // for another life
  oblige();
  const Incarnation earlier = registry_.life_granted(grant.address, grant.incarnation);
  if (earlier == Incarnation{} || earlier == fact.header().incarnation) return;
  report(fact, EventId{},
         fmt::format("life number {} was granted to life {} and again to life {} of this process",
                     grant.incarnation, earlier.value(), fact.header().incarnation.value()));
}

}  // namespace photon::analysis
