// J-P12: a client of the registry sends a request again, and turns to another replica, only for a
// cause.
//
// All attempts of a request carry the same number. Between two of them lies
//   silence    the client's time-out; twice as long after each three attempts without an answer,
//              up to sixteen times (a cut-off or overloaded shard gains nothing by haste), or
//   an answer  that is not definitive: another replica is named or may know more, at most twice in
//              a row, or the client pauses first.
// An operation that was answered is not sent again; nor is a read after its deadline. An insert
// moves to a request of another number only when a server has refused it as the wrong shard or,
// where shards change, after silence.
//
// A client sends the requests of a shard to one replica, until that one refuses to be the master,
// or leaves one of them without an answer, or another one answers as the master. What others have
// refused or left unanswered before does not count: a client that knows the master keeps to it.
// Look-ups that any replica may answer are exempt. Where shards change, a read may have waited long
// for the history, and is then given up soon after it was sent: there each open or answered read
// counts as silence.
//
// So the repetitions of a client are at most the time-outs of its requests in its faults, and three
// times the answers that are not definitive. A request of reads and changes has several times of
// its own: its silence is not judged. Exempt: inserts of joiners without tokens (J-L1), and runs
// with joiners from outside, whose limits are not known.
//
// Cost: O(1) per operation of a request; a request is stored until all are answered.
#pragma once

#include <cstdint>
#include <string_view>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Repetitions final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Item {
    EventId id{};
    Token token{};
    trace::RegistryOperation operation{};
    bool answered = false;
  };
  struct Request {
    ShardId shard{};
    NodeId to{};                 // latest attempt
    SimTime first{};             // attempt
    SimTime sent{};              // latest attempt
    std::uint32_t message = 0;   // latest attempt: trace::Header::message
    SimTime put_off = kNever;    // first answer since that was not definitive
    std::uint32_t silences = 0;  // attempts that nothing answered
    std::uint32_t at_once = 0;   // attempts since the last pause or silence
    bool reads = false;
    bool changes = false;
    bool explains = false;  // its silence is why the client has turned to another replica
    boost::container::small_vector<Item, 2> items{};
    std::uint32_t unanswered = 0;
    std::uint32_t next = 0;  // item, of the last attempt or answer: they keep the order
  };
  struct Target {
    NodeId replica = kNoNode;
    bool left = false;  // it has refused, or another replica has served
  };
  struct Client {
    Incarnation life{};
    boost::unordered_flat_map<std::uint32_t, Target, Hasher> targets{};    // by shard
    std::uint64_t latest = 0;                                              // number of a request
    boost::unordered_flat_map<std::uint64_t, Request, Hasher> requests{};  // by number
    // The request with which each insert is under way.
    boost::unordered_flat_map<std::uint64_t, std::uint64_t, Hasher>
        inserts{};          // by digest of token
    std::size_t swept = 0;  // requests after the last sweep
  };

  // The next item like that without an answer; null if there is none.
  static Item* find_open(Request& request, const EventId& id, const Token& token,
                         trace::RegistryOperation operation);
  static void settle(Client& client, std::uint64_t number, Request& request, Item& item);
  void on_ask(const Fact& fact, const trace::RegistryAsk& ask);
  void on_answer(const Fact& fact, const trace::RegistryAnswer& answer);
  void begin(const Fact& fact, Client& client, const trace::RegistryAsk& ask);
  void move_insert(const Fact& fact, Client& client, const trace::RegistryAsk& ask);
  void attempt_again(const Fact& fact, Client& client, Request& request,
                     const trace::RegistryAsk& ask);
  void check_target(const Fact& fact, Client& client, const trace::RegistryAsk& ask);
  bool is_silent(Client& client, ShardId shard, NodeId replica, SimTime now) const;
  bool may_be_silent(const Request& request, SimTime now) const;
  static void leave(Client& client, const Request& request);
  static void note_target(Client& client, const Fact& fact, const trace::RegistryAnswer& answer);
  static bool is_same_attempt(const Request& request, const trace::Header& header) {
    return request.sent == header.at && request.message == header.message;
  }
  // Why it has no cause; empty if it has one.
  std::string_view unexplained(Request& request, SimTime now) const;
  bool was_silent(const Request& request, SimTime now) const;
  Duration time_out(const Request& request) const;
  Duration longest_time_out() const;
  bool is_over(const Request& request, SimTime now) const;  // reads past their deadline
  void sweep(Client& client, SimTime now);
  void accuse(const Fact& fact, const trace::RegistryAsk& ask, std::string_view why);
  bool has_history() const { return config().sharding_group != JudgeConfig::kNoGroup; }

  static constexpr Interest kKinds[] = {sent(trace::Kind::registry_ask),
                                        delivered(trace::Kind::registry_answer)};
  LifeTable<Client> clients_;
};

}  // namespace photon::analysis
