// J-S13: no premature answers.
// A definitive answer to an insert, when sent, repeats an outcome that its sender has applied in
// its present life, at the slot it names. A look-up's answer must agree with the applied state at
// the slot it rests on: `exists` needs an owner at or before it, `not_found` no owner before it.
#pragma once

#include "analysis/oracle.h"

namespace photon::analysis {

class NoPrematureAnswer final : public Oracle {
 public:
  NoPrematureAnswer(const Evidence& evidence, ViolationLog& log) : Oracle("J-S13", evidence, log) {}
  std::span<const trace::Kind> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_insert_answer(const Fact& fact, const trace::RegistryAnswer& answer);
  void on_lookup_answer(const Fact& fact, const trace::RegistryAnswer& answer);
  static constexpr std::array kKinds = {trace::Kind::registry_answer};
};

}  // namespace photon::analysis
