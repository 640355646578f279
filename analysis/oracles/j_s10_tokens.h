// J-S10: tokens.
// A token sent with an insert names the sender (address), a life number that was granted to this
// very life of the sender (incarnation), and one attempt: it is never used by another node, another
// life or for another click. After its attempt has ended in a definitive code it is not sent again
// for a new one. A token is cleared only when the click's output is durable (F-13). A life is
// granted to a joiner only when its output files are fenced against all earlier ones (F-06).
//
// Registry-only runs have no output, and their clients use a token again on purpose: to see a known
// insert recognised, to clear, to remove. There the last two rules are: a message that names a
// token is sent only while an operation of the load that names it, of that kind, asked by the life
// that drew it, has no end yet; and a token is cleared only if such an operation asked for that.
// Not checked there: whether the clear was justified, which such a run does not show.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class Tokens final : public Oracle {
 public:
  explicit Tokens(const OracleInput& input)
      : Oracle(input), join_(input.join()), registry_(input.registry()) {}
  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override;

 private:
  void on_granted(const Fact& fact);
  void on_grant_sent(const Fact& fact, const trace::IncarnationGranted& grant);
  void on_cleared(const Fact& fact);
  void on_load(const Fact& fact, const trace::RegistryAsk& ask);
  static constexpr Interest kKinds[] = {sent(trace::Kind::registry_ask),
                                        naming(trace::Kind::operation_applied),
                                        trace::Kind::incarnation_granted};

  const JoinEvidence& join_;
  const RegistryEvidence& registry_;
};

}  // namespace photon::analysis
