// J-P0: when a run was healed and given its time, all its work is finished: no click is pending, no
// finished click is kept to be tried again, and each operation of a load has its definitive answer.
//
// A click that can never be joined must be finished as well: the time of a healed run covers the
// age at which such a click is given up and all its pauses.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class AllSettles final : public Oracle {
 public:
  explicit AllSettles(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  void finish(Liveness liveness) override;

 private:
  const JoinEvidence& join_;
};

}  // namespace photon::analysis
