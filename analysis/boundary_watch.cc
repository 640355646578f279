#include "analysis/boundary_watch.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

using trace::Kind;

void BoundaryWatch::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  switch (header.kind) {
    case Kind::master_elected:
      shards_[fact.as<trace::MasterElected>().group] = {header.node, header.at, header.at};
      return;
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

void BoundaryWatch::ended(NodeId master) {
  for (Shard& shard : shards_) {
    if (shard.master == master) shard.master = kNoNode;
  }
}

// Since when nothing is in the way of any shard; kNever if something is.
SimTime BoundaryWatch::calm_since() const {
  SimTime since{};
  if (faults_) since = healed_at_;
  if (!evidence_.disturbances().empty()) {
    since = std::max(since, evidence_.disturbances().back().ended);
  }
  return since;
}

void BoundaryWatch::finish(bool demanded) {
  const JudgeConfig& config = evidence_.config();
  const SimTime now = evidence_.now();
  const SimTime calm = calm_since();
  if (!demanded || config.boundary_bound == Duration::zero() || calm == kNever) return;
  const Duration bound = config.boundary_bound;
  const std::uint32_t groups = std::min(config.shards, config.sharding_group);
  for (std::uint32_t number = 0; number < groups; ++number) {
    const Shard& shard = shards_[ShardId(number)];
    const SimTime since = std::max({calm, shard.since, shard.crowded});
    if (shard.master == kNoNode || now - since <= bound) continue;
    ++held_;
    const BoundaryHistory::Move last = evidence_.boundaries().last(ShardId(number));
    const Stamp due = Stamp(now.time_since_epoch() + config.calendar_epoch) - config.gc_age - bound;
    if (last.highest >= due) continue;
    log_.add({"B-68", Severity::liveness, now, shard.master, EventId{},
              fmt::format("the boundary of shard {} stands still: {}, although its master was in "
                          "office and nothing disturbed it since {}",
                          number,
                          last.slot == 0 ? std::string("it never moved")
                                         : "it moved last at " + describe(last.at),
                          describe(since))});
  }
}

}  // namespace photon::analysis
