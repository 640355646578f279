// J-P5: at the end of a healed run, a shard whose master was undisturbed stores no id that its
// garbage boundary passed longer ago than the deployment promises (JudgeConfig::collect_bound).
#pragma once

#include <cstdint>
#include <map>

#include "analysis/accounting/undisturbed_shards.h"
#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class GarbageRemoved final : public Oracle {
 public:
  explicit GarbageRemoved(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;
  void finish(Liveness liveness) override;

 private:
  struct Shard {
    // Stored ids by the time of their stamps: the number in each period that has any.
    std::map<std::int64_t, std::int64_t> stored{};
    // Each replica states what a collection removed: the first one to state it counts.
    std::uint64_t collected_slot = 0;
    NodeId collector{kNoNode};
    Incarnation collector_life{};
  };

  void store(Shard& shard, const EventId& id, std::int64_t count);
  std::int64_t period() const;  // of Shard::stored, in nanoseconds
  void check(ShardId number, const UndisturbedShards::Master& master);

  DenseTable<ShardId, Shard> shards_;
  static constexpr Interest kKinds[] = {trace::Kind::operation_applied};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
