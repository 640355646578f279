// J-S9: no early drop.
// Reads answers as they are sent, applied operations, the moves of the boundary, and true time.
//   * `Too old` is answered, or applied, only for ids whose stamp is more than N before true time.
//   * An id that was registered stays until the boundary passes it or a recovery delete removes it:
//     no answer from a slot after its registration may be `not found`, and no operation may find it
//     absent or make it present again.
// The cause of a lost id does not matter here: a collection that removes more than it records, a
// table that forgets, a snapshot that is incomplete, the same on all replicas.
//
// Cannot see: a lost id that is not asked about afterwards; nor an id whose insert no replica
// applied (J-S6, J-S13).
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class NoEarlyDrop final : public Oracle {
 public:
  explicit NoEarlyDrop(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_answer(const Fact& fact, const trace::RegistryAnswer& answer);
  void on_applied(const Fact& fact, const trace::OperationApplied& applied);
  void too_old(const Fact& fact, const EventId& id);
  bool below_boundary(ShardId shard, std::uint64_t slot, const EventId& id) const;

  static constexpr Interest kKinds[] = {sent(trace::Kind::registry_answer),
                                        naming(trace::Kind::operation_applied)};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
