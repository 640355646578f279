// J-S8: the garbage boundary.
// Along the slots of a shard the boundary never goes back, and it is never later than true time -
// N. What is removed lies below it; an insert is answered "too old" if and only if it is below the
// boundary at its place in the log. (Look-ups are held to the boundary by J-S13.) Replicas that
// apply a slot again must move the boundary as the first one did.
//
// The boundary is known by slot, for the shard and not for a replica (boundary_history.h): one that
// restores a snapshot says nothing of the slots that it skips, and is judged by what those said
// that applied them. (Somebody did, before: a snapshot is of a state that was applied, which J-S6
// holds it to.)
//
// Cannot see: a boundary in a store that differs from what was said when it moved, until an
// operation is answered by it; what a collection removes without saying so is J-S9's business.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class GcBoundary final : public Oracle {
 public:
  explicit GcBoundary(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_moved(const Fact& fact, const trace::BoundaryMoved& moved);
  void on_applied(const Fact& fact, const trace::OperationApplied& applied);

  static constexpr std::array kKinds = {trace::Kind::boundary_moved,
                                        trace::Kind::operation_applied};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
