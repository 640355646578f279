// J-S2: register before write.
// When a joiner asks a volume to write an output record, its own token must own the click (a fresh
// insert of exactly that token was applied) and the OK for it must have been delivered to that very
// life. The same holds of a record that became durable: no other life may have written it.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class RegisterFirst final : public Oracle {
 public:
  explicit RegisterFirst(const OracleInput& input)
      : Oracle(input), join_(input.join()), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void check_issued(const Fact& fact, const trace::OutputRecord& output);
  static constexpr Interest kKinds[] = {trace::Kind::output_record};

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
