#include "analysis/oracles/j_p5_garbage_removed.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void GarbageRemoved::on_fact(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  Shard& shard = shards_[applied.shard];
  if (applied.operation == trace::RegistryOperation::collect) {
    const trace::Header& header = fact.header();
    if (applied.slot > shard.collected_slot) {
      shard.collected_slot = applied.slot;
      shard.collector = header.node;
      shard.collector_life = header.incarnation;
    }
    const bool first = applied.slot == shard.collected_slot && header.node == shard.collector &&
                       header.incarnation == shard.collector_life;
    if (first) store(shard, applied.id, -1);
    return;
  }
  if (fact.event == kNoIndex || applied.fresh == 0) return;  // a repetition, or without effect
  if (applied.code == trace::RegistryCode::inserted) store(shard, applied.id, 1);
  if (applied.code == trace::RegistryCode::removed) store(shard, applied.id, -1);
}

// A sixty-fourth of N is fine enough: it adds little to the bound compared with N.
void GarbageRemoved::store(Shard& shard, const EventId& id, std::int64_t count) {
  const auto at = shard.stored.try_emplace(nanoseconds_of(id.stamp) / period(), 0).first;
  at->second += count;
  if (at->second == 0) shard.stored.erase(at);
}

std::int64_t GarbageRemoved::period() const {
  return std::max<std::int64_t>(config().gc_age.count() / 64, 1);
}

void GarbageRemoved::finish(Liveness liveness) {
  const bool promised =
      config().boundary_bound > Duration::zero() && config().collect_bound > Duration::zero();
  if (liveness == Liveness::exempt || !promised) return;
  const Duration bound = std::max(config().boundary_bound, config().collect_bound);
  const std::uint32_t shards = std::min(config().shards, config().sharding_group);
  for (std::uint32_t number = 0; number < shards; ++number) {
    const auto master = ledgers_.shards.master_of(ShardId(number));
    if (!master || now() - master->since <= bound) continue;
    oblige();
    check(ShardId(number), *master);
  }
}

void GarbageRemoved::check(ShardId number, const UndisturbedShards::Master& master) {
  const Shard& shard = shards_[number];
  if (shard.stored.empty()) return;
  const auto& [oldest, count] = *shard.stored.begin();
  const Stamp end(Duration((oldest + 1) * period()));  // of their period
  const SimTime passed = registry_.boundaries().passed_at(number, end);
  if (passed == SimTime::max() || now() - passed <= config().collect_bound) return;
  report_at_end(
      master.node, EventId{},
      fmt::format("shard {} still stores {} ids that the boundary passed at {} or before, "
                  "although its master was in office and nothing disturbed it since {}",
                  number.value(), count, describe(passed), describe(master.since)));
}

}  // namespace photon::analysis
