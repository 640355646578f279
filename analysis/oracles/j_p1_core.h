// J-P1, the harder form (DESIGN 6): datacenters that hold a majority of the replicas and a pipeline
// do all that they can without the others.
//
// Some datacenters are chosen as the core; they work and reach each other, and the others are
// out, cut off or unheard. After that time each click that was readable at a pipeline of the core
// when it began must be finished there: joined by it, found to be registered, or given up.
// Unfinished clicks are exempt if the core cannot elect a master in some group: such a stall is
// counted. It needs a majority of voting disks there, and must know of their admissions. An
// admission that was chosen, but is known only outside the core, may still be open for the core.
// Then the core needs a majority without it, too (core_impl/paxos/generations.h, R4).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class CoreWorks final : public Oracle {
 public:
  explicit CoreWorks(const OracleInput& input)
      : Oracle(input), join_(input.join()), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

  // Clicks that are still to be finished at the core.
  std::uint64_t unfinished() const;
  bool is_exempt() const { return exempt_; }

 private:
  void on_chosen(const Fact& fact);
  void on_healed(const Fact& fact);
  bool is_finished(std::uint32_t click) const;
  bool has_quorum() const;
  bool can_elect(ShardId id, const std::set<NodeId>& replaced) const;
  bool has_majority(ShardId id, const std::set<NodeId>& replaced,
                    const std::vector<std::uint32_t>& in_force) const;
  std::uint64_t known_slot(const Group& group) const;
  bool is_inside(DatacenterId place) const {
    return (core_->datacenters >> place.value() & 1U) != 0;
  }

  std::optional<trace::CoreChosen> core_{};
  SimTime chosen_at_{};
  std::vector<std::uint32_t> pipelines_;  // of the core
  std::vector<std::uint32_t> clicks_;     // that must be finished
  // The replicas whose disks were replaced in the run, by group: those that are not admitted do
  // not vote.
  std::map<std::uint32_t, std::set<NodeId>> replaced_;
  bool quorate_ = false;  // the core, when it was chosen
  bool exempt_ = false;
  static constexpr Interest kKinds[] = {trace::Kind::core_chosen, trace::Kind::run_phase,
                                        durable(trace::Kind::paxos_formatted)};

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
