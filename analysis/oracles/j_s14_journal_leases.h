// J-S14, leases of journals (C-06, C-30): a dispatcher sends a click to a joiner only while it
// holds the lease of a journal, in which it could record the outcome of the click.
//
// A lease lasts as long as the deployment promises (JudgeConfig::journal_lease), on the owner's
// monotonic clock. It begins when the claim is made, which the trace does not show; at the latest
// when the claim is durable. The oracle allows a quarter of the lease more, for work in progress.
// Each claim states the lease that the deployment promises.
//
// Cannot see: which of its journals a click belongs to. One valid lease of any is enough.
#pragma once

#include "analysis/evidence/dense_table.h"
#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class JournalLeases final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  struct Claim {  // the last one of a dispatcher
    Incarnation life{};
    SimTime durable_at = kNever;  // kNever: none in any life
  };

  void on_claim(const Fact& fact);
  void on_work(const Fact& fact);

  DenseTable<NodeId, Claim> claims_;
  static constexpr Interest kKinds[] = {durable(trace::Kind::journal_owned),
                                        sent(trace::Kind::join_ask)};
};

}  // namespace photon::analysis
