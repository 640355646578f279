// J-S1: at most one durable output record per click.
// Evidence: records that a volume made durable. Copies of one record (same token) in several
// datacenters count as one; a second record in the same datacenter counts, whatever its token.
#pragma once

#include "analysis/oracle.h"

namespace photon::analysis {

class AtMostOnce final : public Oracle {
 public:
  AtMostOnce(const Evidence& evidence, ViolationLog& log) : Oracle("J-S1", evidence, log) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr std::array kKinds = {trace::Kind::output_record};
};

}  // namespace photon::analysis
