// J.2: the accounts add up, every lost click has a class that the trace proves, and the cost of the
// end of each joiner's life (D-15, D-20, D-23) is the same counted by attempts and by clicks.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

struct JoinerEndCost;

class Accounts final : public Oracle {
 public:
  explicit Accounts(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  void finish(Liveness liveness) override;

 private:
  void check(const JoinerEndCost& cost);

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
