// J-S20: a joiner answers a dispatcher last. While the insert that it sent for a click lacks a
// definitive answer, it does not answer the request that the insert serves, unless its life ends
// (D-12, D-13): a request that is answered early is tried again elsewhere, while the first attempt
// may still own the click.
//
// Each registration serves one unanswered request of its joiner's life for that click (D-18). Which
// one, the trace does not show, so numbers are compared: the registrations of a life for a click
// without a definitive answer are at most the requests for it that were delivered and not answered.
// That is checked when a joiner answers, and when it sends an insert with a token of its own for
// the first time. Copies of a request that is under way are the same request.
#pragma once

#include "analysis/oracles/oracle.h"

namespace photon::analysis {

class AnswerLast final : public Oracle {
 public:
  explicit AnswerLast(const OracleInput& input) : Oracle(input), join_(input.join()) {}
  std::span<const Interest> absorbed_kinds() const override;
  void on_absorbed(const Fact& fact) override;

 private:
  // Of the joiner's life that the record is of, for its click.
  struct Counts {
    std::uint32_t requests = 0;
    std::uint32_t registrations = 0;
    Token token{};  // of one of them
  };
  Counts count(const Fact& fact) const;

  const JoinEvidence& join_;
};

}  // namespace photon::analysis
