// When two runs fail in the same way.
#pragma once

#include <optional>
#include <string>

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

// Nothing if the run has neither a violation nor a failed check.
std::optional<FailureKind> kind_of(const RunOutcome& outcome);

// The run shows that failure, perhaps besides others.
bool shows(const RunOutcome& outcome, const FailureKind& kind);

// The words of the first of that kind as they are; empty if there is none.
std::string message_of(const RunOutcome& outcome, const FailureKind& kind);

}  // namespace photonsim::scenarios::shrink
