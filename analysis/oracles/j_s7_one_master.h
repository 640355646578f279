// J-S7: one master.
// A lease interval runs from its record for `remaining` of its holder's monotonic clock, unless its
// life or mastership ends before. In true time it lasts at least remaining / (1 + drift) and at
// most remaining / (1 - drift). Intervals of different replicas of a group must not overlap for
// certain; a definitive answer must be sent inside the longest reading of the sender's own
// interval, by a master that had applied every slot that was provably chosen when it was elected.
// Look-ups in mode `replica` are answered without authority.
#pragma once

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class OneMaster final : public Oracle {
 public:
  explicit OneMaster(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Lease {
    NodeId node{kNoNode};
    Incarnation life{};
    std::uint64_t ballot = 0;
    SimTime surely_until = SimTime::min();    // shortest reading
    SimTime possibly_until = SimTime::min();  // longest reading
    std::uint64_t floor = 0;                  // slots that were chosen when this life was elected
  };

  Lease& lease_of(trace::GroupId group, const trace::Header& header);
  void on_elected(const Fact& fact);
  void on_extended(const Fact& fact);
  void on_answer(const Fact& fact);

  DenseTable<trace::GroupId, std::vector<Lease>> leases_;  // one per replica seen
  static constexpr Interest kKinds[] = {
      trace::Kind::master_elected, trace::Kind::lease_extended, trace::Kind::master_ended,
      sent(trace::Kind::registry_answer), trace::Kind::process_crashed};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
