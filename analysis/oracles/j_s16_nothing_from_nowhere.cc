#include "analysis/oracles/j_s16_nothing_from_nowhere.h"

#include <fmt/format.h>

namespace photon::analysis {

void NothingFromNowhere::on_fact(const Fact& fact) {
  if (fact.event == kNoIndex) return;  // about no id, or a replica's repetition
  const Click& click = join_.click(fact.event);
  switch (fact.header().kind) {
    case trace::Kind::click_generated:
      oblige();
      if (!click.generated) return;
      return report(fact, click.id,
                    fmt::format("two clicks have this id; the first one was generated at {}",
                                describe(click.generated_at)));
    case trace::Kind::operation_applied: {
      const auto& applied = fact.as<trace::OperationApplied>();
      const bool registers = applied.operation == trace::RegistryOperation::insert &&
                             applied.code == trace::RegistryCode::inserted;
      if (!registers) return;
      oblige();
      if (click.generated) return;
      const bool asked_for = join_.find_attempt(fact.event, applied.token) != nullptr;
      if (config().registry_only() && asked_for) return;
      return report(fact, click.id,
                    fmt::format("an id that was never generated was registered with token {}",
                                describe(applied.token)));
    }
    default: {
      if (fact.source() != trace::Source::issued && fact.source() != trace::Source::durable) {
        return;
      }
      oblige();
      const auto& output = fact.as<trace::OutputRecord>();
      if (!click.generated) {
        return report(fact, click.id,
                      fmt::format("output (token {}) for a click that was never generated",
                                  describe(output.token)));
      }
      if (click.expect_skip) {
        report(fact, click.id, "output for a click that the reference adapter skips");
      }
    }
  }
}

}  // namespace photon::analysis
