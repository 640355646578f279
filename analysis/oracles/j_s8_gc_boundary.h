// J-S8: the garbage boundary.
// Along the slots of a shard the boundary never decreases, and it is never later than true time -
// N. Removed ids lie below it; an insert is answered "too old" if and only if it is below the
// boundary at its place in the log. (J-S13 checks look-ups against the boundary.) Replicas that
// apply a slot again must move the boundary as the first one did.
//
// The boundary is known by slot, for the shard and not for a replica (boundary_history.h). A
// replica that restores a snapshot states nothing about the slots that it skips; they are judged by
// the statements of the replicas that applied them. (Some replica did: a snapshot is of an applied
// state, as J-S6 checks.)
//
// Cannot see: a boundary in a store that differs from the recorded move, until an operation is
// answered by it. J-S9 checks collections that remove more than they record.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class GcBoundary final : public Oracle {
 public:
  explicit GcBoundary(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_moved(const Fact& fact, const trace::BoundaryMoved& moved);
  void on_applied(const Fact& fact, const trace::OperationApplied& applied);

  static constexpr Interest kKinds[] = {trace::Kind::boundary_moved,
                                        trace::Kind::operation_applied};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
