#include "analysis/oracles/j_2_accounts.h"

#include <fmt/format.h>

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void Accounts::finish(Liveness) {
  const Accounting& accounts = ledgers_.accounting;
  oblige(accounts.generated + accounts.joiner_ends.size());
  for (const Remark& remark : accounts.remarks) {
    if (remark.what != Remark::What::lost_unclassified) continue;
    report_at_end(kNoNode, join_.click(remark.click).id, remark.why);
  }
  for (const JoinerEndCost& cost : accounts.joiner_ends) check(cost);
  if (accounts.adds_up()) return;
  report_at_end(kNoNode, EventId{},
                "the identity generated = joined + lost + never joinable + "
                "borderline + pending does not add up");
}

void Accounts::check(const JoinerEndCost& cost) {
  const JoinerEnd& end = cost.end;
  const std::uint32_t bound = config().joiner_window_bound;
  const auto accuse = [&](std::string_view what) {
    report_at_end(kNoNode, EventId{},
                  fmt::format("{}, life {}, which ended at {}: {}", process(end.node),
                              end.life.value(), describe(end.at), what));
  };
  if (cost.charged != cost.lost) {
    accuse(fmt::format("{} clicks lost with it, but {} stood registered in its window of {}",
                       cost.charged, cost.lost, end.window));
  }
  const std::uint64_t placed =
      cost.lost + cost.returned + cost.became_durable + cost.never_registered;
  if (placed != end.window) {
    accuse(fmt::format(
        "{} attempts in its window, but {} came to an end: {} lost, {} brought "
        "back, {} written after all, {} never registered",
        end.window, placed, cost.lost, cost.returned, cost.became_durable, cost.never_registered));
  }
  if (bound != 0 && end.window > bound) {
    accuse(fmt::format("{} attempts in its window; the declared bound is {}", end.window, bound));
  }
  if (end.in_order && end.window > 0) {
    accuse(fmt::format("ended in good order with {} attempts in its window", end.window));
  }
}

}  // namespace photon::analysis
