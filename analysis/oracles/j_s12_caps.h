// J-S12: caps.
// Counted from seam facts only. A joiner's requests in flight are those delivered and not answered;
// because a rejection is an answer that follows at once, they are counted when the next one
// arrives. Outstanding registrations and the D-15 window (first insert request until durable output
// or definitive refusal) are counted by token when a new one is sent. A dispatcher's outstanding
// joins are those sent, not answered and younger than its time-out.
#pragma once

#include <deque>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "analysis/dense_table.h"
#include "analysis/oracle.h"

namespace photon::analysis {

class Caps final : public Oracle {
 public:
  Caps(const Evidence& evidence, ViolationLog& log) : Oracle("J-S12", evidence, log) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Send {
    SimTime expires{};
    std::uint64_t request = 0;
    NodeId joiner{};
  };
  struct Sender {
    std::deque<Send> sends;  // in order of sending; answered ones are taken from `open`
    boost::unordered_flat_set<std::uint64_t, Hasher> open;
  };

  void on_join_sent(const Fact& fact, const trace::JoinAsk& ask);
  void on_insert_sent(const Fact& fact, const trace::RegistryAsk& ask);

  DenseTable<NodeId, Sender> senders_;
  static constexpr std::array kKinds = {trace::Kind::join_ask, trace::Kind::join_answer,
                                        trace::Kind::registry_ask, trace::Kind::process_crashed};
};

}  // namespace photon::analysis
