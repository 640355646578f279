// J-S19: the EventStore is complete and true.
// A query that could be read in a datacenter's logs when a look-up for it was sent to the log tier
// there is found or an error, never `not_found`; and the found query is the requested one, from
// either tier. Nor does a joiner answer that such a query is missing, whatever its source, if the
// request reached it when the query could be read. One case is exempt: it was asked for several
// clicks at once, a look-up has found this one's query, and another one's is missing.
//
// Completeness is measured by the readable bytes (LogVisible), not by the progress that the reader
// claims: that comes later, so this asks for more than the specification, because the log store
// promises more. Bytes that a truncation hid could not be read until they were back; they are
// exempt if that was between question and answer. A query whose record is damaged there is exempt.
// The places of queries are known from the clicks that refer to them; a look-up that belongs to no
// join request of its joiner is not judged.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class EventStoreTruth final : public Oracle {
 public:
  explicit EventStoreTruth(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // The queries that one life of a joiner works on. Bounded by its requests in flight.
  struct Expected {
    std::uint32_t click = kNoIndex;  // any that refers to the query
    std::uint32_t requests = 0;
    SimTime found_at = kNever;  // the latest answer that had it
  };
  // The requests of one dispatcher at one instant.
  struct Group {
    std::uint32_t members = 0;
    std::uint32_t unanswered = 0;
  };
  struct Joiner {
    Incarnation life{};
    boost::unordered_flat_map<EventId, Expected, Hasher> expected;    // by query
    boost::unordered_flat_map<std::uint64_t, SimTime, Hasher> asked;  // by request
    boost::unordered_flat_map<std::uint64_t, Group, Hasher> groups;   // by group
    std::size_t swept = 0;  // open questions after the last sweep of old ones
  };

  void on_ask(const Fact& fact);
  void on_answer(const Fact& fact);
  void on_join_ask(const Fact& fact);
  void on_join_answer(const Fact& fact);
  void check_reported(const Fact& fact, const Joiner& joiner, const Visit& visit);
  // Since when the click's query can be read in the datacenter of the fact; kNever: it cannot, or
  // is not known.
  SimTime readable_at(const Fact& fact, const Click& click) const;
  void check_miss(const Fact& fact, const Joiner& joiner, SimTime asked_at);

  LifeTable<Joiner> joiners_;
  static constexpr Interest kKinds[] = {delivered(trace::Kind::join_ask),
                                        sent(trace::Kind::join_answer),
                                        sent(trace::Kind::query_ask), trace::Kind::query_answer};

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
