// J-S18: justified completion.
// Every success that a joiner sends and every "finished" of a dispatcher is backed by evidence:
//   joined          a fresh insert of an attempt of the answering life was applied, and its output
//                   is durable
//   already_exists  the id has, or had, an owner; and a joiner's attempt got that answer
//   too_old         the stamp is more than N before true time and below a boundary; and a joiner's
//                   attempt got that answer
//   skipped         the reference adapter skips the click
//   unjoinable      attempts > R, age > A by the joiner's clock, and the log tier answered that
//                   joiner "not found" since the request was delivered (no look-up needed for a
//                   null query)
// and the dispatcher has received this by a delivered message, after verification brought the click
// back if it did. A joiner answers only requests that were delivered to it. The oracle also fires
// when another pipeline masks the damage.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class JustifiedCompletion final : public Oracle {
 public:
  explicit JustifiedCompletion(const OracleInput& input)
      : Oracle(input), join_(input.join()), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_success(const Fact& fact, const trace::JoinAnswer& answer);
  void on_done(const Fact& fact);
  void check_joined(const Fact& fact);
  void check_refused(const Fact& fact, const Visit& visit, trace::RegistryCode code);
  void check_unjoinable(const Fact& fact, const Visit& visit);
  bool is_too_old(const Fact& fact, const EventId& id) const;
  static constexpr Interest kKinds[] = {sent(trace::Kind::join_answer), trace::Kind::click_done};

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
