// J-S15: right join.
// An output record names the query that the workload gave its click, and its content has the hash
// of a right join of the two. Checked when it is written and when it is durable.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class RightJoin final : public Oracle {
 public:
  explicit RightJoin(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr Interest kKinds[] = {trace::Kind::output_record};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
