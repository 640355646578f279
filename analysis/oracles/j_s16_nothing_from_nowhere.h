// J-S16: nothing from nowhere.
// Every output record and every registered id belongs to a generated click, no click is generated
// twice under one id (A-10, M-42), and no click is written that the reference adapter skips (D-06).
//
// In registry-only runs nothing is generated: ids come from the clients. There a registered id must
// have been asked for with the very token under which it is registered (J-S10 checks whether the
// client had to). Output is still refused, since it has no click.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class NothingFromNowhere final : public Oracle {
 public:
  explicit NothingFromNowhere(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr Interest kKinds[] = {trace::Kind::click_generated,
                                        naming(trace::Kind::operation_applied),
                                        trace::Kind::output_record};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
