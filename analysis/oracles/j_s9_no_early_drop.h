// J-S9: no early drop.
// Reads answers as they are sent, applied operations, the moves of the boundary, and true time.
//   * `Too old` is said, or applied, only of ids whose stamp is more than N behind true time.
//   * An id that was registered stays until the boundary passes it or a recovery delete removes it:
//     no answer from a slot behind its registration may say `not found`, and no operation may find
//     it absent or make it present once more.
// How an id got lost does not matter here: a collection that takes more than it says, a table that
// forgets, a snapshot that leaves something out, the same on all replicas.
//
// Cannot see: an id that is lost and that nobody asks about afterwards; nor an id whose insert was
// applied by nobody (J-S6, J-S13).
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class NoEarlyDrop final : public Oracle {
 public:
  explicit NoEarlyDrop(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_answer(const Fact& fact, const trace::RegistryAnswer& answer);
  void on_applied(const Fact& fact, const trace::OperationApplied& applied);
  void too_old(const Fact& fact, const EventId& id);
  bool below_boundary(ShardId shard, std::uint64_t slot, const EventId& id) const;

  static constexpr std::array kKinds = {trace::Kind::registry_answer,
                                        trace::Kind::operation_applied};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
