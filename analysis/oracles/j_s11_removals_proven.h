// J-S11, the proof before a removal (F-04, F-06). A verifier asks for the removal of an id from the
// token of a life only after each datacenter's auditor has answered a question of that pipeline,
// which named the file of that very life, that it lacks the click. Copies of one auditor's answer
// count once. A proof serves one token: the same life may register the click again, with another.
//
// A later life of the verifier, or the next owner of its journal, repeats a removal that was
// intended: proofs belong to the pipeline and stay.
//
// Registry-only runs have no recovery.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class RemovalsProven final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override;
  void on_fact(const Fact& fact) override;

 private:
  struct Asked {
    EventId click{};
    NodeId owner{};
    std::uint32_t life = 0;
    trace::Presence found = trace::Presence::absent;
  };
  struct Question {
    std::vector<Asked> clicks{};                           // by place
    boost::container::small_vector<NodeId, 4> answered{};  // auditors, all of whose answers came
    bool alike = true;                                     // each auditor is asked the same
  };
  struct Verifier {
    Incarnation life{};
    boost::unordered_flat_map<std::uint64_t, Question, Hasher> questions{};  // by request
  };

  void on_ask(const Fact& fact, const trace::OutputAsk& ask);
  void on_answer(const Fact& fact, const trace::OutputAnswer& answer);
  void on_removal(const Fact& fact, const trace::RegistryAsk& ask);
  void conclude(DatacenterId pipeline, const Question& question);
  static std::uint64_t key_of(DatacenterId pipeline, const EventId& click, NodeId owner,
                              std::uint32_t life);

  LifeTable<Verifier> verifiers_;
  // By digest: the sequence of the token whose removal it has served; 0: none yet.
  boost::unordered_flat_map<std::uint64_t, std::uint64_t, Hasher> proven_;
};

}  // namespace photon::analysis
