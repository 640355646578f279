// Corner cases of the changes of the number of shards, and of requests that several shards share.
#pragma once

#include <vector>

#include "analysis/corner_cases/corner_case.h"
#include "analysis/corner_cases/group_history.h"

namespace photon::analysis {

class CornerSharding {
 public:
  CornerSharding(const Evidence& evidence, CornerCounts& counts);

  void on_fact(const Fact& fact);

 private:
  void on_history(const Fact& fact);
  void on_change_asked(const Fact& fact);
  void on_change_answered(const Fact& fact);
  void on_ask(const Fact& fact);
  void on_answer(const Fact& fact);
  void on_applied(const Fact& fact);
  SimTime true_time_of(Stamp stamp) const;

  const Evidence& evidence_;
  CornerCounts& counts_;
  std::uint64_t decided_slot_ = 0;  // of the configuration group
  // Announced, and in force.
  struct Change {
    Stamp start = Stamp::min();
    std::uint32_t shards = 0;
  };
  Change announced_{};
  Change present_{};
  bool went_up_ = false;
  bool asked_together_ = false;  // two operators, within S
  Stamp forgotten_ = Stamp::min();
  SimTime ahead_at_ = SimTime::min();  // when an id ahead of time was last inserted
  struct Asker {
    NodeId node{kNoNode};
    SimTime at = SimTime::min();
  };
  Asker last_operator_{};
  struct Client {
    Stamp knows = Stamp::min();  // start of the newest interval that it has received
    SimTime asked_at = kNever;
    ShardId shard{};
    bool crossed = false;  // at asked_at it asked several shards
    bool reads = false;
  };
  DenseTable<NodeId, Client> clients_;
  Stamp seen_late_ = Stamp::min();  // the change that was counted as seen late by a client
};

}  // namespace photon::analysis
