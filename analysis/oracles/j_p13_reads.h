// J-P13: a joiner reads the EventStore only for a cause. For each life of a joiner:
//
//   look-ups              <=  join requests that it has accepted, and not answered meanwhile
//   questions to a cache  <=  look-ups
//   questions to the logs <=  misses of the cache + look-ups that it left unanswered for
//                             `cache_timeout`
//
// Copies of a request cost nothing while the joiner works on it. It is checked cause by cause.
// Joiners from outside are exempt: JudgeConfig::reads_priced.
//
// Cost: O(1) per fact; a join request is stored until it is answered.
#pragma once

#include <cstdint>
#include <string_view>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Reads final : public Oracle {
 public:
  explicit Reads(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;

 private:
  // A join request that the joiner works on, and the look-up that it has paid for.
  struct Work {
    NodeId from = kNoNode;
    std::uint64_t request = 0;
    std::uint64_t lookup = 0;  // its number; 0: none yet
    SimTime asked{};           // the first tier
    bool in_logs = false;
    bool cache_missed = false;
    bool ended = false;
  };
  using WorkList = boost::container::small_vector<Work, 1>;  // of one query
  struct Joiner {
    Incarnation life{};
    std::uint64_t latest = 0;  // look-up
    boost::unordered_flat_map<EventId, WorkList, Hasher> work{};
  };

  void on_join_ask(const Fact& fact, const trace::JoinAsk& ask);
  void on_join_answer(const Fact& fact, const trace::JoinAnswer& answer);
  void on_ask(const Fact& fact, const trace::QueryAsk& ask);
  void on_answer(const Fact& fact, const trace::QueryAnswer& answer);
  void begin(const Fact& fact, WorkList& work, const trace::QueryAsk& ask);
  // Why the question to the logs has no cause; empty if it has one.
  std::string_view unexplained(const Work& work, SimTime now) const;
  void accuse(const Fact& fact, const trace::QueryAsk& ask, std::string_view why);

  LifeTable<Joiner> joiners_;

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
