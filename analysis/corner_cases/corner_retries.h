// Corner cases that a token shows over its life: lost replies, failovers, repetitions, rivals.
#pragma once

#include <vector>

#include "analysis/corner_cases/corner_case.h"
#include "analysis/corner_cases/group_history.h"

namespace photon::analysis {

class CornerRetries {
 public:
  CornerRetries(const Evidence& evidence, GroupHistory& groups, CornerCounts& counts)
      : evidence_(evidence), groups_(groups), counts_(counts) {}

  void on_fact(const Fact& fact);

 private:
  struct TokenFacts {
    std::uint64_t arrived_slot = 0;  // under way when it arrived last
    std::uint64_t owner_term = 0;    // of the master that proposed its fresh insert
    std::uint64_t waited_at = 0;     // the term whose end found it waiting
    bool repeated_after_ok = false;  // by the client: an OK was sent but had not arrived
    bool copied_after_ok = false;    // by the network: an OK had arrived
    bool surfaced = false;           // applied after its proposer's mastership
    bool settled = false;            // a definitive answer was sent
  };
  // Moments: a request that holds an item twice states it twice at one moment.
  struct Moments {
    SimTime last = kNever;
    std::uint32_t times = 0;
    void count(SimTime at) {
      if (at != last) ++times;
      last = at;
    }
  };
  // A token in one request of a client.
  struct ItemKey {
    RequestKey request{};
    Token token{};
    friend auto operator<=>(const ItemKey&, const ItemKey&) = default;
  };
  struct ItemHasher {
    using is_avalanching = void;
    std::uint64_t operator()(const ItemKey& key) const {
      return combine(hash_of(key.request), hash_of(key.token));
    }
  };
  struct ItemFacts {
    Moments sent{};       // by the client
    Moments delivered{};  // to servers
    Moments replies{};    // sent, with definitive codes
  };

  void on_sent(const Fact& fact);
  void on_arrived(const Fact& fact);
  void on_reply_sent(const Fact& fact);
  void on_reply_came(const Fact& fact);
  void on_applied(const Fact& fact);
  void on_recognised(const Fact& fact, TokenFacts& token, std::uint64_t term);
  void on_office_ended(ShardId shard, GroupTerm& group);
  void note_waiting(ShardId shard, const TokenFacts& token, const trace::OperationApplied& applied);

  const Evidence& evidence_;
  GroupHistory& groups_;
  CornerCounts& counts_;
  boost::unordered_flat_map<Token, TokenFacts, Hasher> tokens_;
  boost::unordered_flat_map<ItemKey, ItemFacts, ItemHasher> items_;
  struct Waiting {
    std::vector<Token> tokens{};       // that a master has had since its election
    std::vector<std::uint8_t> seen{};  // by term: the outcomes of those that waited at its end
  };
  DenseTable<ShardId, Waiting> waiting_;
};

}  // namespace photon::analysis
