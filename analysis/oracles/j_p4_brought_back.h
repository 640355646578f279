// J-P4: where there is verification, it brings back the clicks that a joiner's crash or an
// operator's skip has cost, unless faults left it no time until the click was N old, or nothing can
// be proven.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class BroughtBack final : public Oracle {
 public:
  explicit BroughtBack(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  void finish(Liveness liveness) override;

 private:
  const JoinEvidence& join_;
};

}  // namespace photon::analysis
