// B-68 (and B-62): at the end of a healed run, the garbage boundary of a shard whose master could
// move it lags true time - N by no more than the deployment promises (JudgeConfig::boundary_bound).
// A boundary that stands still is no danger, and no safety oracle sees it: memory grows.
#pragma once

#include "analysis/accounting/undisturbed_shards.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class BoundaryMoves final : public Oracle {
 public:
  explicit BoundaryMoves(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  void finish(Liveness liveness) override;

 private:
  void check(ShardId shard, const UndisturbedShards::Master& master);

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
