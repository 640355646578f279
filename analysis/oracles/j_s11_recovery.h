// J-S11: recovery.
// A recovery delete, as first applied, takes the id from exactly the owner whose token it names and
// whose token is still stored. The life that drew this token was refused with it before anything
// was written; or it is over, and the storage has shut its output files, so that no append of it
// that is still in flight can become durable (F-06). The first of these is wider than SPEC J-S11
// and F-04, which only cover dead lives: such an attempt counts as dead, whether its life is or not
// (J-S2 and J-S18 check that it never writes). And no datacenter has durable output of the click,
// nor had any that this life wrote and storage has lost since (F-14).
//
// Registry-only runs have no recovery: the client that drew a token removes the id itself, while it
// lives. There an id is removed only if the life that drew its token asked for that in the load.
// Everything else is checked in the same way.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Recovery final : public Oracle {
 public:
  explicit Recovery(const OracleInput& input)
      : Oracle(input), join_(input.join()), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  static constexpr Interest kKinds[] = {naming(trace::Kind::operation_applied)};

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
