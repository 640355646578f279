// J-S11, the verdicts of verification on finished clicks (F-11, F-14, F-16). "Present" is reported
// only of a click that was joined: a record of it was durable once. "Output lost" is reported only
// where storage has lost one. "Too old" is reported only when the click is N old, since no
// component forgets it before (B-62). Each of them ends all care for the click, so a wrong verdict
// loses a click that could have been brought back, without any other sign.
//
// The other two verdicts, indeterminate and unregistered, are judged by the fate of the click
// (J-P4, the accounting).
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Verdicts final : public Oracle {
 public:
  explicit Verdicts(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr Interest kKinds[] = {trace::Kind::click_verified};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
