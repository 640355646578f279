// D-08: when a run was healed and given its time, each joined record is in the output of every
// pipeline, where the deployment copies output.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class OutputCopied final : public Oracle {
 public:
  using Oracle::Oracle;
  void finish(Liveness liveness) override;
};

}  // namespace photon::analysis
