#include "analysis/oracles/j_s11_verdicts.h"

#include <fmt/format.h>

#include "analysis/oracles/violation.h"

namespace photon::analysis {

void Verdicts::on_fact(const Fact& fact) {
  if (fact.event == kNoIndex) return;
  const Click& click = join_.click(fact.event);
  const auto say = [&](std::string_view what, std::string_view why) {
    report(fact, click.id, fmt::format("verification says `{}`, but {}", what, why));
  };
  const trace::Verified verdict = fact.as<trace::ClickVerified>().verdict;
  const bool judged_elsewhere =
      verdict == trace::Verified::unregistered || verdict == trace::Verified::indeterminate;
  if (!judged_elsewhere) oblige();
  switch (verdict) {
    case trace::Verified::present:
      if (!click.is_joined() && !click.record_lost) say("present", "no output was ever durable");
      return;
    case trace::Verified::output_lost:
      if (click.record_lost) return;
      say("output lost",
          click.is_joined()
              ? fmt::format("it has been durable since {}, and nothing of it was lost",
                            describe(click.joined_at))
              : std::string("no output was ever durable"));
      return;
    case trace::Verified::too_old: {
      const SimTime expires = join_.expiry_of(click);
      if (fact.header().at >= expires) return;
      say("too old", fmt::format("it is N old at {} only", describe(expires)));
      return;
    }
    case trace::Verified::unregistered:
    case trace::Verified::indeterminate:
      return;
  }
}

}  // namespace photon::analysis
