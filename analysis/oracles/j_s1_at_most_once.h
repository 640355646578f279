// J-S1: at most one durable output record per click.
// Evidence: records that a volume made durable. Copies of one record (same token) in several
// datacenters count as one; a second record in the same datacenter counts, whatever its token. A
// record that storage had lost does not count until storage shows it again. Then it counts as a
// second one: an earlier reader gets it twice. Photon does not cover that case.
#pragma once

#include <set>
#include <tuple>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class AtMostOnce final : public Oracle {
 public:
  explicit AtMostOnce(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr Interest kKinds[] = {durable(trace::Kind::output_record),
                                        trace::Kind::output_lost};

  using Stored = std::tuple<std::uint32_t, Token, DatacenterId>;  // click, token, place
  std::set<Stored> lost_;

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
