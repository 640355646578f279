#include "analysis/oracles/j_p5_intervals_forgotten.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void IntervalsForgotten::on_fact(const Fact& fact) {
  const auto& applied = fact.as<trace::ShardingApplied>();
  if (applied.group.value() != config().sharding_group || applied.slot <= applied_) return;
  applied_ = applied.slot;
  const ShardingLedger::Effect effect = ledger_.apply(applied);
  if (effect != ShardingLedger::Effect::none) changed_at_ = fact.header().at;
  if (effect == ShardingLedger::Effect::forgotten) ++done_;
}

SimTime IntervalsForgotten::passed_at(Stamp end) const {
  const std::uint32_t shards = ledger_.shards_above(ledger_.forgotten());
  SimTime last{};
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    last = std::max(last, registry_.boundaries().passed_at(ShardId(shard), end - Duration{1}));
  }
  return last;
}

void IntervalsForgotten::finish(Liveness liveness) {
  const Duration bound = config().forget_bound;
  if (liveness == Liveness::exempt || bound == Duration::zero()) return;
  oblige(done_);
  if (ledger_.is_open()) return;
  const auto& intervals = ledger_.intervals();
  const auto next = std::ranges::upper_bound(intervals, std::max(ledger_.forgotten(), Stamp::min()),
                                             {}, &ShardingLedger::Interval::start);
  if (next == intervals.end()) return;  // the last interval has no end
  const auto master = ledgers_.shards.master_of(ShardId(config().sharding_group));
  const SimTime passed = passed_at(next->start);
  if (!master || passed == kNever) return;
  const SimTime since = std::max({passed, changed_at_, master->since});
  if (now() - since <= bound) return;
  oblige();
  report_at_end(
      master->node, EventId{},
      fmt::format("the numbers of shards below stamp {} are still in the configuration: "
                  "every boundary passed that stamp by {}, and nothing has disturbed the "
                  "group's master since {}",
                  nanoseconds_of(next->start), describe(passed), describe(master->since)));
}

}  // namespace photon::analysis
