// When two runs fail in the same way.
#pragma once

#include <string>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::scenarios::shrink {

// What went wrong first, a broken safety rule before a stall, and without what differs from run to
// run: an oracle and what it said but for numbers, times and names; or the check of the code that
// failed.
struct FailureKind {
  std::string oracle{};   // "J-S1", or "check"
  std::string message{};  // its words
  friend bool operator==(const FailureKind&, const FailureKind&) = default;
};

struct FoundFailure {
  FailureKind kind{};
  std::string message{};  // as it is

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.kind.oracle, self.kind.message, self.message);
  }
};

// All failures of a run; the first one is what it failed by. Empty if it has neither a violation
// nor a failed check.
std::vector<FoundFailure> failures_of(const RunOutcome& outcome);

// Of a run that came to no end, because its process died or met a limit; `why` says so.
FoundFailure failure_of_process(const std::string& why);

// The one of that kind; null if there is none.
const FoundFailure* find(const std::vector<FoundFailure>& failures, const FailureKind& kind);

}  // namespace photonsim::scenarios::shrink
