#include "analysis/recovery_book.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;

void RecoveryBook::on_fact(const Fact& fact) {
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

// The judge resolves only first applications: what other replicas repeat does not come here.
void RecoveryBook::on_applied(const trace::OperationApplied& applied, std::uint32_t event) {
  if (applied.code == trace::RegistryCode::removed) ++removals_;
  const bool was_cleared = evidence_.click(event).is_cleared();
  if (applied.code == trace::RegistryCode::cleared && !was_cleared) ++cleared_;
}

// Several verifiers follow a click, and each comes to its end with it.
void RecoveryBook::on_verified(trace::Verified verdict, std::uint32_t event) {
  if (event >= told_.size()) told_.resize(event + 1);
  const auto number = static_cast<std::size_t>(verdict);
  const auto bit = static_cast<std::uint8_t>(1U << number);
  if ((told_[event] & bit) != 0) return;
  told_[event] |= bit;
  ++verdicts_.at(number);
}

void RecoveryBook::on_output(const Fact& fact) {
  const Click& click = evidence_.click(fact.event);
  if (click.is_joined() || click.tenures == kNoIndex) return;
  SimTime died = kNever;
  evidence_.any_tenure(fact.event, [&](const Tenure& tenure) {
    const Attempt* owner = evidence_.find_attempt(fact.event, tenure.token);
    if (owner != nullptr && owner->died_in_window) died = std::min(died, owner->died_at);
    return false;
  });
  if (died != kNever) time_.add(fact.header().at - died);
}

}  // namespace photon::analysis
