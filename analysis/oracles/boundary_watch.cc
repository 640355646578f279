#include "analysis/oracles/boundary_watch.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

using trace::Kind;

void BoundaryWatch::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  switch (header.kind) {
    case Kind::master_elected: {
      Shard& shard = shards_[fact.as<trace::MasterElected>().group];
      shard.master = header.node;
      shard.since = shard.crowded = header.at;
      return;
    }
    case Kind::master_ended: {
      Shard& shard = shards_[fact.as<trace::MasterEnded>().group];
      if (shard.master == header.node) shard.master = kNoNode;
      return;
    }
    case Kind::process_crashed:
      return ended(header.node);
    case Kind::batch_proposed: {
      const auto& batch = fact.as<trace::BatchProposed>();
      if (batch.queued_after > 0) shards_[batch.shard].crowded = header.at;
      return;
    }
    case Kind::operation_applied:
      return on_applied(fact);
    case Kind::fault_effect:
    case Kind::clock_stepped:
      faults_ = true;
      return;
    case Kind::run_phase:
      if (fact.as<trace::RunPhase>().phase == trace::Phase::faults_ended) healed_at_ = header.at;
      return;
    default:
      return;
  }
}

void BoundaryWatch::on_applied(const Fact& fact) {
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

// A sixty-fourth of N is fine enough: what it adds to the bound is little beside N.
void BoundaryWatch::store(Shard& shard, const EventId& id, std::int64_t count) {
  const auto at = shard.stored.try_emplace(nanoseconds_of(id.stamp) / period(), 0).first;
  at->second += count;
  if (at->second == 0) shard.stored.erase(at);
}

std::int64_t BoundaryWatch::period() const {
  return std::max<std::int64_t>(evidence_.config().gc_age.count() / 64, 1);
}

void BoundaryWatch::ended(NodeId master) {
  shards_.for_each([&](Shard& shard) {
    if (shard.master == master) shard.master = kNoNode;
  });
}

// Since when nothing is in the way of any shard; kNever if something is.
SimTime BoundaryWatch::calm_since() const {
  SimTime since{};
  if (faults_) since = healed_at_;
  return std::max(since, evidence_.calm_since());
}

void BoundaryWatch::finish(bool demanded) {
  const JudgeConfig& config = evidence_.config();
  const SimTime calm = calm_since();
  if (!demanded || config.boundary_bound == Duration::zero() || calm == kNever) return;
  const std::uint32_t groups = std::min(config.shards, config.sharding_group);
  for (std::uint32_t number = 0; number < groups; ++number) {
    const Shard& shard = shards_[ShardId(number)];
    const SimTime since = std::max({calm, shard.since, shard.crowded});
    if (shard.master == kNoNode || evidence_.now() - since <= config.boundary_bound) continue;
    ++held_;
    check_boundary(ShardId(number), shard.master, since);
    check_garbage(ShardId(number), shard, since);
  }
}

void BoundaryWatch::check_boundary(ShardId number, NodeId master, SimTime since) {
  const JudgeConfig& config = evidence_.config();
  const SimTime now = evidence_.now();
  const BoundaryHistory::Move last = evidence_.boundaries().last(number);
  const Stamp due =
      Stamp(now.time_since_epoch() + config.calendar_epoch) - config.gc_age - config.boundary_bound;
  if (last.highest >= due) return;
  log_.add({"B-68", Severity::liveness, now, master, EventId{},
            fmt::format("the boundary of shard {} stands still: {}, although its master was in "
                        "office and nothing disturbed it since {}",
                        number.value(),
                        last.slot == 0 ? std::string("it never moved")
                                       : "it moved last at " + describe(last.at),
                        describe(since))});
}

void BoundaryWatch::check_garbage(ShardId number, const Shard& shard, SimTime since) {
  const Duration bound = evidence_.config().collect_bound;
  const SimTime now = evidence_.now();
  if (bound == Duration::zero() || now - since <= bound) return;
  ++emptied_;
  if (shard.stored.empty()) return;
  const auto& [oldest, count] = *shard.stored.begin();
  const Stamp end(Duration((oldest + 1) * period()));  // of their period
  const SimTime passed = evidence_.boundaries().passed_at(number, end);
  if (passed == SimTime::max() || now - passed <= bound) return;
  log_.add({"J-P5", Severity::liveness, now, shard.master, EventId{},
            fmt::format("shard {} still stores {} ids that the boundary passed at {} or before, "
                        "although its master was in office and nothing disturbed it since {}",
                        number.value(), count, describe(passed), describe(since))});
}

}  // namespace photon::analysis
