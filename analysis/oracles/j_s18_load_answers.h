// J-S18 in a registry-only load: a client ends an operation only if it asked for it, and only with
// a definitive answer that reached it over the network at that very moment.
#pragma once

#include <vector>

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class LoadAnswers final : public Oracle {
 public:
  using Oracle::Oracle;
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  // The answers that reached clients at this very moment: a client ends an operation in the
  // callback that brings its answer.
  struct Reached {
    NodeId node{};
    trace::RegistryAnswer answer{};
  };

  void on_answer(const Fact& fact);
  void on_done(const Fact& fact);
  bool has_reached(const Fact& done) const;

  std::vector<Reached> reached_;
  SimTime reached_at_{};
  static constexpr Interest kKinds[] = {delivered(trace::Kind::registry_answer),
                                        trace::Kind::load_done};
};

}  // namespace photon::analysis
