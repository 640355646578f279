#include "analysis/accounting/recovery_ledger.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;

void RecoveryLedger::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case Kind::operation_applied:
      if (fact.event != kNoIndex) on_applied(fact.as<trace::OperationApplied>(), fact.event);
      return;
    case Kind::click_reinjected:
      if (fact.source() == trace::Source::durable) ++returned_;
      return;
    case Kind::click_verified:
      return on_verified(fact.as<trace::ClickVerified>().verdict, fact.event);
    case Kind::output_record:
      if (fact.source() == trace::Source::durable) on_output(fact);
      return;
    default:
      return;
  }
}

// The judge resolves only first applications: repetitions of other replicas do not arrive here.
void RecoveryLedger::on_applied(const trace::OperationApplied& applied, std::uint32_t event) {
  if (applied.code == trace::RegistryCode::removed) ++removals_;
  const bool was_cleared = evidence_.registry().registration(event).is_cleared();
  if (applied.code == trace::RegistryCode::cleared && !was_cleared) ++cleared_;
}

// Several verifiers follow a click, and each finishes it with a verdict. A click in the output
// counts as expected, whatever a later verdict is.
void RecoveryLedger::on_verified(trace::Verified verdict, std::uint32_t event) {
  const bool expected = evidence_.join().click(event).is_joined();
  if (verdict == trace::Verified::unregistered && expected) return;
  if (was_reported(event, verdict)) return;
  if (event >= reported_.size()) reported_.resize(event + 1);
  reported_[event] |= bit_of(verdict);
  ++verdicts_.at(static_cast<std::size_t>(verdict));
}

bool RecoveryLedger::was_reported(std::uint32_t event, trace::Verified verdict) const {
  return event < reported_.size() && (reported_[event] & bit_of(verdict)) != 0;
}

void RecoveryLedger::on_output(const Fact& fact) {
  const Click& click = evidence_.join().click(fact.event);
  const Registration& registration = evidence_.registry().registration(fact.event);
  if (click.is_joined()) return;
  if (was_reported(fact.event, trace::Verified::unregistered)) {
    reported_[fact.event] &= static_cast<std::uint8_t>(~bit_of(trace::Verified::unregistered));
    ++joined_after_all_;
  }
  if (registration.tenures == kNoIndex) return;
  SimTime died = kNever;
  evidence_.registry().any_tenure(fact.event, [&](const Tenure& tenure) {
    const Attempt* owner = evidence_.join().find_attempt(fact.event, tenure.token);
    if (owner != nullptr && owner->died_in_window) died = std::min(died, owner->died_at);
    return false;
  });
  if (died != kNever) time_.add(fact.header().at - died);
}

}  // namespace photon::analysis
