// D-08: when a run was healed and given its time, each joined record is in the output of every
// pipeline, where the deployment copies output.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class OutputCopied final : public Oracle {
 public:
  explicit OutputCopied(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  void finish(Liveness liveness) override;

 private:
  const JoinEvidence& join_;
};

}  // namespace photon::analysis
