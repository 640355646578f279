// J-S3: one owner.
// Reads each operation once, as it was first applied, and keeps its own account of the owner of
// each id, over all shards together. `inserted` must either make an owner, which is the only one
// until an applied removal, or repeat the owner's exact token while it is stored; the claim `fresh`
// must agree; `already_exists` needs another owner, or one whose token was cleared (B-45).
// Collection (of ids below the boundary) does not make an id free: no later insert may be fresh.
// The answer of a clear or a remove must be true: `not_found` needs an id without owner, `cleared`
// and `no_match` one with. (J-S11 checks from which owner a removal may take the id.)
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class OneOwner final : public Oracle {
 public:
  explicit OneOwner(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_insert(const Fact& fact, const trace::OperationApplied& applied);
  void on_care(const Fact& fact, const trace::OperationApplied& applied);
  static constexpr Interest kKinds[] = {naming(trace::Kind::operation_applied)};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
