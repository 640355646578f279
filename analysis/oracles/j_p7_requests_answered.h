// J-P7: every request that a working registry server admits is answered.
//
// A client that gets no answer asks another replica, so a request that a server has lost heals: it
// costs a time-out, and no other oracle sees it. Deadlines, each from facts about that server:
//   order    queued operations are decided first come, first served (B-20, B-22): when an operation
//            that came later is answered definitively, every queued request from before it is
//   batch    a batch that leaves nothing waiting (BatchProposed) holds all requests delivered until
//            then: when its slot is applied there, they are answered
//   role     a replica that is not the master refuses at once, and a mastership that ends answers
//            all that waits (B-27). Look-ups that do not queue are answered at once (B-07)
//   time     the master of an undisturbed shard (accounting/undisturbed_shards.h) answers within
//            JudgeConfig::answer_bound, although nothing later arrives
// The first three hold at the moment named, under any faults, while that life of the server lasts.
// A request is known by its client and number. A copy that arrives while it waits is the same
// request; after its answer it is a new one.
//
// Cost: O(1) per fact; a request is stored until it is answered.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class RequestsAnswered final : public Oracle {
 public:
  explicit RequestsAnswered(const OracleInput& input) : Oracle(input) {}
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;
  void finish(Liveness liveness) override;

 private:
  struct Request {
    RequestKey key{};
    std::uint64_t number = 0;  // in the order of arrival at this server
    SimTime at{};
    EventId id{};  // of its first operation
    ShardId shard{};
    bool queues = false;  // some operation of it waits for its turn
    bool open = true;
  };
  struct Batch {
    std::uint64_t slot = 0;
    std::uint64_t last = 0;  // request that it holds at the latest
  };
  struct Server {
    Incarnation life{};
    bool master = false;
    std::uint64_t arrived = 0;
    std::deque<Request> requests{};  // from the first open one on
    boost::unordered_flat_map<RequestKey, std::uint64_t, RequestHasher> open{};  // by number
    std::deque<Batch> batches{};
    // In the moment `due` all requests up to `due_last` must be answered, and those of `at_once`;
    // kNever: none.
    SimTime due = kNever;
    std::uint64_t due_last = 0;
    std::string_view reason{};
    std::vector<std::uint64_t> at_once{};
  };

  void on_ask(const Fact& fact, Server& server);
  void on_answer(const Fact& fact, Server& server);
  void on_applied(const Fact& fact, Server& server);
  // All requests up to `last` must be answered in this moment.
  static void demand(Server& server, SimTime at, std::uint64_t last, std::string_view reason);
  void check_due(NodeId node, Server& server);
  void check_time(NodeId node, Server& server, SimTime now);
  // Reports it, and regards it as answered.
  void accuse(NodeId node, Server& server, Request& request, std::string_view reason);
  static void close(Server& server, Request& request);
  static void forget_answered(Server& server);

  LifeTable<Server> servers_;
};

}  // namespace photon::analysis
