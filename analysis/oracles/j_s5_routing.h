// J-S5, what a client routes by (B-60c, rule 2): an id is sent to a shard only by a history that
// was read late enough for the id's stamp. The stamp is at most S after true time at the start of
// that read (JudgeConfig::history_skew): any later id could belong to a change that the read does
// not show. A read begins when the client asks for it, however late the answer comes, and
// TrueTime's earliest lies before true time.
//
// Judged at each registry request of a process that reads the history, also at repetitions: a
// routing that was valid stays valid.
//
// Cannot see: which of the client's reads a request was routed by. The oracle takes the answered
// read that began last.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "analysis/evidence/life_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class ClientRouting final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Reader {
    Incarnation life{};
    boost::unordered_flat_map<std::uint64_t, SimTime, Hasher> open;  // by request
    SimTime begun = kNever;  // of the answered reads, the one that began last
  };

  void on_answer(const Fact& fact);
  void on_ask(const Fact& fact);

  LifeTable<Reader> readers_;
  static constexpr Interest kKinds[] = {sent(trace::Kind::sharding_read),
                                        delivered(trace::Kind::sharding_answer),
                                        sent(trace::Kind::registry_ask)};
};

}  // namespace photon::analysis
