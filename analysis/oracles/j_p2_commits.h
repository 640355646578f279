// J-P2: with a majority of a group up and connected, some insert commits.
//
// If an insert is sent to a group, and no fault disturbs any process from then on, one is applied,
// or definitively answered, within `commit_bound`: the time in which the deployment promises a
// master, a client that has found it, and a commit. A request from before the end of a disturbance
// counts only when it is repeated, which clients do for as long as they live.
//
// Where look-ups come first and are not answered, no client gets to an insert. So a group must also
// answer something: after healing (Phase::faults_ended), if it is asked again and again from one
// `commit_bound` after the first question on, it answers one before a second bound is over.
//
// Only times with requests count: clients never pause for longer than half of the bound, and after
// a longer pause the time begins anew. The group must also have a majority of voting replicas.
// Replicas whose disks were lost do not vote until they are admitted again. Replicas whose disks
// hold wrong bytes (JudgeConfig::unsound) stop for good when they find that. The trace does not
// show when they do, so such a replica counts up to its last message.
//
// That one insert was answered does not exempt another: J-P0 checks at the end of the run that each
// is finished.
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
  std::span<const Interest> kinds() const override {
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
  // Questions of any kind without an answer.
  struct Silence {
    SimTime since{};
    SimTime last{};
    SimTime counted{};            // the last of `questions`
    std::uint32_t questions = 0;  // after the first bound, with pauses between them
  };
  struct Group {
    std::optional<Asked> asked{};
    std::optional<Silence> silence{};
    bool reported = false;  // and nothing committed since
    // Replicas that may be without a vote: up to when they are known to work. kNever: their disks
    // were replaced, and they work unless they have no vote.
    std::map<NodeId, SimTime> doubtful{};
    void begin_anew() {
      asked.reset();
      silence.reset();
    }
  };

  void on_asked(const Fact& fact);
  void on_insert_asked(const Fact& fact, SimTime fault_free);
  void on_question(const Fact& fact, SimTime fault_free);
  void accuse(const Fact& fact, EventId event, SimTime since, std::string_view what);
  void on_answered(const Fact& fact);
  void on_formatted(const Fact& fact);
  void on_heard(const Fact& fact);
  void go_on(ShardId group);
  bool is_open(const Asked& asked, ShardId group) const;
  // The longest pause between two repetitions of a client.
  Duration longest_pause() const { return config().commit_bound / 2; }
  // Until when a majority of the group is known to work: kNever if nothing contradicts it, min() if
  // it has none.
  SimTime majority_until(ShardId group) const;

  DenseTable<ShardId, Group> groups_;
  std::map<NodeId, ShardId> unsound_;  // and the group of each
  static constexpr Interest kKinds[] = {
      sent(trace::Kind::registry_ask),        sent(trace::Kind::registry_answer),
      naming(trace::Kind::operation_applied), durable(trace::Kind::paxos_formatted),
      sent(trace::Kind::paxos_prepare),       sent(trace::Kind::paxos_promise),
      sent(trace::Kind::paxos_accept),        sent(trace::Kind::paxos_accepted),
      sent(trace::Kind::paxos_heartbeat),     sent(trace::Kind::paxos_granted)};
  static constexpr std::size_t kOfSoundGroups = 4;  // messages matter to no other

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
