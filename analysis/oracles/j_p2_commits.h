// J-P2: with a majority of a group up and connected, some insert commits.
//
// From when an insert is sent to a group, and nothing has disturbed anybody since, one is applied,
// or answered for good, within `commit_bound`: the time in which the deployment promises a master,
// a client that has found it, and a commit. What is asked before a disturbance is over counts only
// when it is asked again, which clients do for as long as they live. Of a group most of whose
// replicas lost their disks and are not admitted again nothing is demanded.
//
// Where look-ups come first and are not answered, nobody gets as far as an insert. So a group must
// also answer something: when all is mended (Phase::faults_ended), asked again and again from one
// `commit_bound` after the first question on, it has answered one before a second one is over.
//
// That one insert was answered is no excuse for another: whether each comes to an end is asked at
// the end of the run (J-P0).
#pragma once

#include <optional>
#include <set>
#include <string_view>

#include "analysis/dense_table.h"
#include "analysis/oracle.h"

namespace photon::analysis {

class CommitsGoOn final : public Oracle {
 public:
  CommitsGoOn(const Evidence& evidence, ViolationLog& log) : Oracle("J-P2", evidence, log) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

  // Times at which a commit was due.
  std::uint64_t demands() const override { return demanded_; }

 private:
  // An insert that is to be followed by a commit.
  struct Asked {
    SimTime at{};
    std::uint32_t click = kNoIndex;
    Token token{};
  };
  // Questions of any kind, and no answer.
  struct Silence {
    SimTime since{};
    SimTime last{};
    std::uint32_t questions = 0;  // behind the first bound, with pauses between them
  };
  struct Group {
    std::optional<Asked> asked{};
    std::optional<Silence> silence{};
    bool reported = false;        // and nothing committed since
    std::set<NodeId> replaced{};  // whose disks were
  };

  void on_asked(const Fact& fact);
  void on_insert_asked(const Fact& fact, SimTime calm);
  void on_question(const Fact& fact, SimTime calm);
  void accuse(const Fact& fact, EventId event, SimTime since, std::string_view what);
  void on_answered(const Fact& fact);
  void go_on(ShardId group);
  bool is_open(const Asked& asked, ShardId group) const;
  bool has_quorum(ShardId group) const;

  DenseTable<ShardId, Group> groups_;
  std::uint64_t demanded_ = 0;
  static constexpr std::array kKinds = {trace::Kind::registry_ask, trace::Kind::registry_answer,
                                        trace::Kind::operation_applied,
                                        trace::Kind::paxos_formatted};
};

}  // namespace photon::analysis
