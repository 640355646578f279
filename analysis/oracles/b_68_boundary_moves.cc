#include "analysis/oracles/b_68_boundary_moves.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void BoundaryMoves::finish(Liveness liveness) {
  const Duration bound = config().boundary_bound;
  if (liveness == Liveness::exempt || bound == Duration::zero()) return;
  const std::uint32_t shards = std::min(config().shards, config().sharding_group);
  for (std::uint32_t number = 0; number < shards; ++number) {
    const auto master = ledgers_.shards.master_of(ShardId(number));
    if (!master || now() - master->since <= bound) continue;
    oblige();
    check(ShardId(number), *master);
  }
}

void BoundaryMoves::check(ShardId shard, const UndisturbedShards::Master& master) {
  const BoundaryHistory::Move last = registry_.boundaries().last(shard);
  const Stamp due = Stamp(now().time_since_epoch() + config().calendar_epoch) - config().gc_age -
                    config().boundary_bound;
  if (last.highest >= due) return;
  report_at_end(master.node, EventId{},
                fmt::format("the boundary of shard {} stands still: {}, although its master was in "
                            "office and nothing disturbed it since {}",
                            shard.value(),
                            last.slot == 0 ? std::string("it never moved")
                                           : "it moved last at " + describe(last.at),
                            describe(master.since)));
}

}  // namespace photon::analysis
