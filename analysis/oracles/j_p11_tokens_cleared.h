// J-P11: where there is verification, the auditor reads each durable joined record and clears its
// token (F-12): only lost clicks keep theirs for long. Judged at the end of a healed run, of each
// record after which nothing was disturbed for as long as recovery may take. Exempt are records
// that storage has lost meanwhile, and ids that the garbage boundary has passed.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class TokensCleared final : public Oracle {
 public:
  explicit TokensCleared(const OracleInput& input)
      : Oracle(input), join_(input.join()), registry_(input.registry()) {}
  void finish(Liveness liveness) override;

 private:
  bool had_time(const Click& click, const Registration& registration) const;

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
