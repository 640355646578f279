// J-S13: no premature answers, and no stale ones (the part of J-S4 that a read can break).
// A definitive answer to an insert, clear or remove, when sent, repeats an outcome that its sender
// has applied in its present life, at the slot it names.
// The slot that a read's answer names is a claim. The trace constrains it: the answerer had applied
// some slot when the question was delivered to it, and an answer from before that slot is stale.
// The answer must be the truth at the slot it names: after it, or, if that slot was not yet applied
// when the question arrived, at some place within it (B-26).
//   exists      registered then, and the id not below the boundary; a token read was stored then
//   cleared     (of read_token) registered then, the token being cleared
//   not_found   not registered then, and the id not below the boundary
//   too_old     the boundary, at the slot it names, is above the id's stamp
// This holds for every replica (SPEC L-23). J-S7 checks whether it had to be a master: look-ups in
// mode `replica` may be answered by any, under J-S4's weaker rule. An answer repeats the mode of
// its question, and is not older than the slot that the question names.
// A question is forgotten once it is answered, and with the life of its answerer.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class NoPrematureAnswer final : public Oracle {
 public:
  explicit NoPrematureAnswer(const OracleInput& input)
      : Oracle(input), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // The reads of one request at one server. Copies that the network made count together, for
  // the trace does not show which of them is answered first.
  struct Question {
    std::uint32_t open = 0;      // not yet answered
    std::uint64_t position = 0;  // applied when the first was delivered
    std::uint64_t at_least = 0;
    trace::LookupMode lookups{};
  };
  struct Server {
    Incarnation life{};
    boost::unordered_flat_map<RequestKey, Question, RequestHasher> questions;
  };

  Server& server_of(const trace::Header& header);
  Stamp boundary_at(ShardId shard, std::uint64_t slot) const;
  void on_ask(const Fact& fact);
  void on_answer(const Fact& fact);
  void on_outcome(const Fact& fact, const trace::RegistryAnswer& answer);
  void on_read_answer(const Fact& fact, const trace::RegistryAnswer& answer);
  void check_mode(const Fact& fact, const trace::RegistryAnswer& answer, const Question& question);
  void judge_read(const Fact& fact, const trace::RegistryAnswer& answer, std::uint64_t position);
  std::string_view untrue(const Fact& fact, const trace::RegistryAnswer& answer,
                          std::uint64_t position) const;
  static constexpr Interest kKinds[] = {delivered(trace::Kind::registry_ask),
                                        sent(trace::Kind::registry_answer)};

  DenseTable<NodeId, Server> servers_;

  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
