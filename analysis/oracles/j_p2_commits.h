// J-P2: with a majority of a group up and connected, some insert commits.
//
// From when an insert is sent to a group, and nothing has disturbed anybody since, one is applied,
// or answered for good, within `commit_bound`: the time in which the deployment promises a master,
// a client that has found it, and a commit. What is asked before a disturbance is over counts only
// when it is asked again, which clients do for as long as they live.
//
// Where look-ups come first and are not answered, nobody gets as far as an insert. So a group must
// also answer something: when all is mended (Phase::faults_ended), asked again and again from one
// `commit_bound` after the first question on, it has answered one before a second one is over.
//
// Only a time counts in which somebody asked: clients never pause for longer than half of the
// bound, and behind a longer pause the time begins anew. And only one in which the group had a
// majority of replicas that vote: neither those whose disks were lost and are not admitted again,
// nor those whose disks hold wrong bytes (JudgeConfig::unsound), which stop for good when they
// find that. Nothing says when they do, so such a one counts up to when it was last heard.
//
// That one insert was answered is no excuse for another: whether each comes to an end is asked at
// the end of the run (J-P0).
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class CommitsGoOn final : public Oracle {
 public:
  explicit CommitsGoOn(const OracleInput& input);
  std::span<const trace::Kind> kinds() const override {
    const std::span all(kKinds);
    return config().unsound.empty() ? all.first(kOfSoundGroups) : all;
  }
  void on_fact(const Fact& fact) override;

 private:
  // An insert that is to be followed by a commit.
  struct Asked {
    SimTime at{};
    SimTime last{};  // when anything was inserted there
    std::uint32_t click = kNoIndex;
    Token token{};
  };
  // Questions of any kind, and no answer.
  struct Silence {
    SimTime since{};
    SimTime last{};
    SimTime counted{};            // the last of `questions`
    std::uint32_t questions = 0;  // behind the first bound, with pauses between them
  };
  struct Group {
    std::optional<Asked> asked{};
    std::optional<Silence> silence{};
    bool reported = false;  // and nothing committed since
    // Replicas that may be without a vote: up to when they are known to work. kNever: whose disks
    // were replaced, and work unless they have no vote.
    std::map<NodeId, SimTime> doubtful{};
    void begin_anew() {
      asked.reset();
      silence.reset();
    }
  };

  void on_asked(const Fact& fact);
  void on_insert_asked(const Fact& fact, SimTime calm);
  void on_question(const Fact& fact, SimTime calm);
  void accuse(const Fact& fact, EventId event, SimTime since, std::string_view what);
  void on_answered(const Fact& fact);
  void on_formatted(const Fact& fact);
  void on_heard(const Fact& fact);
  void go_on(ShardId group);
  bool is_open(const Asked& asked, ShardId group) const;
  // The longest pause between two questions of one who asks again and again.
  Duration longest_pause() const { return config().commit_bound / 2; }
  // Until when a majority of the group is known to work: kNever if nothing is against it, min() if
  // it has none.
  SimTime majority_until(ShardId group) const;

  DenseTable<ShardId, Group> groups_;
  std::map<NodeId, ShardId> unsound_;  // and of which group it is
  static constexpr std::array kKinds = {
      trace::Kind::registry_ask,    trace::Kind::registry_answer, trace::Kind::operation_applied,
      trace::Kind::paxos_formatted, trace::Kind::paxos_prepare,   trace::Kind::paxos_promise,
      trace::Kind::paxos_accept,    trace::Kind::paxos_accepted,  trace::Kind::paxos_heartbeat,
      trace::Kind::paxos_granted};
  static constexpr std::size_t kOfSoundGroups = 4;  // who is heard matters to no other

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
