// J-S6, elections: a replica proposes at a ballot only with the promises of a majority (B-18).
// The majority is counted among the disks in force after the slots that the candidate knows as
// chosen. Where promises report an admission that may still be open, two majorities are needed:
// with the disk that it admits, and without it (core_impl/paxos/generations.h, R4). With one of
// them alone, votes of the replaced disk that are still in flight could choose a second value.
//
// The candidate has the promises that were delivered to its present life, and its own, which is on
// its disk. The ledger shows which disk a promise comes from when it is sent. If a replica promises
// the same ballot with two disks, either counts. An election is judged once: when the replica sends
// its first proposal at that ballot, or reports that it is master.
//
// Cannot see: what a candidate knows to be chosen. An admission that the disks have chosen already
// may count as chosen or as open.
#pragma once

#include <map>
#include <vector>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Elections final : public Oracle {
 public:
  explicit Elections(const OracleInput& input) : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Vote {
    std::uint32_t member = 0;
    std::uint32_t generation = 0;
    auto operator<=>(const Vote&) const = default;
  };
  struct Candidacy {  // the last one of a replica
    NodeId node{};
    Incarnation life{};
    std::uint64_t ballot = 0;
    std::uint64_t from = 0;
    bool judged = false;
    std::vector<NodeId> promised_by;
    std::map<std::uint64_t, Acceptance> reported;  // by slot: of the highest ballot
  };
  struct Promised {  // in a message: by which disk
    NodeId node{};
    std::uint64_t ballot = 0;
    Vote vote{};
  };
  struct GroupState {
    std::vector<Candidacy> candidacies;  // by replica
    std::vector<Promised> promises;      // of ballots that have a candidacy
  };
  using Generations = std::vector<std::uint32_t>;  // by member

  GroupState* group_of(trace::GroupId group);
  Candidacy* candidacy_of(GroupState& group, const trace::Header& header, std::uint64_t ballot);
  void on_prepare(const Fact& fact);
  void on_promise(const Fact& fact);
  void on_reported(const Fact& fact);
  void on_proposal(const Fact& fact, trace::GroupId group, std::uint64_t ballot);
  void add_own(trace::GroupId group, Candidacy& candidacy, std::vector<Vote>& votes) const;
  bool is_elected(trace::GroupId group, const Candidacy& candidacy,
                  const std::vector<Vote>& votes) const;
  bool is_majority(const std::vector<Vote>& votes, const Generations& in_force) const;

  std::vector<GroupState> groups_;
  static constexpr Interest kKinds[] = {
      sent(trace::Kind::paxos_prepare), trace::Kind::paxos_promise,
      delivered(trace::Kind::paxos_reported), sent(trace::Kind::paxos_accept),
      trace::Kind::master_elected};

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
