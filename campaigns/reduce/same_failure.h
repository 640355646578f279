// Whether two runs fail in the same way.
#pragma once

#include <string>
#include <vector>

#include "campaigns/runs/failure_cause.h"
#include "scenarios/world/runner.h"

namespace photonsim::scenarios::shrink {

struct FoundFailure {
  campaigns::FailureCause cause{};
  std::string message{};  // in full

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.cause, self.message);
  }
};

// All failures of a run; the first one decides, safety before liveness. Empty if it completed
// without a violation.
std::vector<FoundFailure> failures_of(const RunOutcome& outcome);

// For a run of which there is only the record: its process died, or it met a limit.
FoundFailure failure_of(const photon::analysis::RunRecord& run);

// The failure of that cause; null if there is none.
const FoundFailure* find(const std::vector<FoundFailure>& failures,
                         const campaigns::FailureCause& cause);

}  // namespace photonsim::scenarios::shrink
