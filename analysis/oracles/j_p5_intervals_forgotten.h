// J-P5, of the sharding history (B-58, B-60b): at the end of a run that was healed, an interval
// whose end every shard's boundary passed more than a bound ago is not in the configuration any
// more. The bound is JudgeConfig::forget_bound, counted from the last of these: the boundaries
// passed its end, the history changed, the group's master began to work undisturbed.
//
// The content of the configuration follows from the operations that its group applied (J-S5
// compares them with the disks).
#pragma once

#include "analysis/evidence/sharding_ledger.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class IntervalsForgotten final : public Oracle {
 public:
  explicit IntervalsForgotten(const OracleInput& input)
      : Oracle(input), ledger_(config().first_shards), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;
  void finish(Liveness liveness) override;

 private:
  // When every shard that its ids may need had a boundary at `end` or later; kNever if one has not.
  SimTime passed_at(Stamp end) const;

  ShardingLedger ledger_;
  std::uint64_t applied_ = 0;  // highest slot of the configuration group with an operation
  SimTime changed_at_{};       // the history changed last
  std::uint64_t done_ = 0;     // forgotten in time
  static constexpr Interest kKinds[] = {trace::Kind::sharding_applied};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
