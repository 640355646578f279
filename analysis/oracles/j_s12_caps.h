// J-S12: caps.
// Counted from seam facts only. A joiner's requests in flight are those delivered and not answered;
// because a rejection is an answer that follows at once, they are counted when the next one
// arrives. Outstanding registrations and the D-15 window (first insert request until durable output
// or definitive refusal) are counted by token when a new one is sent. A dispatcher's outstanding
// joins are those sent, not answered and younger than its time-out. So are its outstanding look-ups
// (C-33), counted by request and click: a repetition is not counted again. The first replica that
// applies a slot reports the number of operations of the transaction (J-S6 compares that with the
// operations themselves); it is at most the limit of a batch (B-23).
#pragma once

#include <deque>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Caps final : public Oracle {
 public:
  explicit Caps(const OracleInput& input)
      : Oracle(input), join_(input.join()), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Send {
    SimTime expires{};
    std::uint64_t request = 0;
    NodeId joiner{};
  };
  enum class Standing : std::uint8_t { counts, over };
  struct Expiry {
    SimTime at{};
    std::uint64_t lookup = 0;
  };
  struct Sender {
    std::deque<Send> sends;  // in order of sending; answered ones are taken from `open`
    boost::unordered_flat_set<std::uint64_t, Hasher> open;
    // By request and click; those that are over as well, until they cannot be repeated any more.
    boost::unordered_flat_map<std::uint64_t, Standing, Hasher> lookups;
    std::deque<Expiry> expiries;  // of them
    std::size_t lapsed = 0;       // of the expiries, how many do not count any more
    std::uint32_t outstanding_lookups = 0;
  };

  void on_join_sent(const Fact& fact, const trace::JoinAsk& ask);
  void on_registry_ask(const Fact& fact);
  void on_lookup_sent(const Fact& fact);
  void on_registry_answer(const Fact& fact);
  static void count_no_more(Sender& from, std::uint64_t lookup);
  void let_lapse(Sender& from, SimTime now) const;
  void on_insert_sent(const Fact& fact, const trace::RegistryAsk& ask);
  void on_slot(const Fact& fact, const trace::SlotApplied& applied);

  DenseTable<NodeId, Sender> senders_;
  static constexpr Interest kKinds[] = {sent(trace::Kind::join_ask),
                                        delivered(trace::Kind::join_ask),
                                        delivered(trace::Kind::join_answer),
                                        sent(trace::Kind::registry_ask),
                                        delivered(trace::Kind::registry_answer),
                                        trace::Kind::process_crashed,
                                        trace::Kind::slot_applied};

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
