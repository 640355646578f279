// J-S3: one owner.
// Reads each operation once, as it was first applied, and keeps its own account of who owns an id,
// over all shards together. `inserted` must either be the first owner or repeat the owner's exact
// token; the claim `fresh` must agree; `already_exists` needs another owner. Collection (of ids
// below the boundary) does not make an id free: no later insert may be fresh.
#pragma once

#include "analysis/oracle.h"

namespace photon::analysis {

class OneOwner final : public Oracle {
 public:
  OneOwner(const Evidence& evidence, ViolationLog& log) : Oracle("J-S3", evidence, log) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr std::array kKinds = {trace::Kind::operation_applied};
};

}  // namespace photon::analysis
