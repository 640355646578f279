// Whether two runs fail in the same way.
#pragma once

#include <string>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::scenarios::shrink {

// What failed first, safety before liveness, without what varies between runs: an oracle and its
// message without numbers, times and names, or the failed check of the code.
struct FailureKind {
  std::string oracle{};   // "J-S1", or "check"
  std::string message{};  // its words
  friend bool operator==(const FailureKind&, const FailureKind&) = default;
};

struct FoundFailure {
  FailureKind kind{};
  std::string message{};  // in full

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.kind.oracle, self.kind.message, self.message);
  }
};

// All failures of a run; the first one decides. Empty without a violation or a failed check.
std::vector<FoundFailure> failures_of(const RunOutcome& outcome);

// For a run that did not complete because its process died or met a limit; `why` says so.
FoundFailure failure_of_process(const std::string& why);

// The failure of that kind; null if there is none.
const FoundFailure* find(const std::vector<FoundFailure>& failures, const FailureKind& kind);

}  // namespace photonsim::scenarios::shrink
