#include "analysis/accounting/undisturbed_shards.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;

void UndisturbedShards::on_fact(const Fact& fact) {
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
      return shards_.for_each([&](Shard& shard) {
        if (shard.master == header.node) shard.master = kNoNode;
      });
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

// Since when no shard is disturbed; kNever if one is.
SimTime UndisturbedShards::fault_free_since() const {
  return std::max(faults_ ? healed_at_ : SimTime{}, evidence_.join().fault_free_since());
}

std::optional<UndisturbedShards::Master> UndisturbedShards::master_of(ShardId number) const {
  const Shard* const shard = shards_.find(number);
  const SimTime fault_free = fault_free_since();
  if (shard == nullptr || shard->master == kNoNode || fault_free == kNever) return std::nullopt;
  return Master{shard->master, std::max({fault_free, shard->since, shard->crowded})};
}

}  // namespace photon::analysis
