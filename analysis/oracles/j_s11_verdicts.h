// J-S11, what verification says of a click when it is finished with it (F-11, F-14, F-16).
// "Present" is said only of a click that was joined: a record of it was durable once. "Output lost"
// is said only where storage has lost one. "Too old" is said only when the click is N old, since
// nobody forgets it before (B-62). Each of them ends all care for the click, so a wrong one loses
// what could have been brought back, and nobody would ever miss it.
//
// That a click is unprovable, or that nobody registers it, is judged by what becomes of it (J-P4,
// the accounting).
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Verdicts final : public Oracle {
 public:
  explicit Verdicts(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr std::array kKinds = {trace::Kind::click_verified};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
