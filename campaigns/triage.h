// Triage: the failures of a campaign by their cause.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"

namespace photon::analysis {

class CampaignSum;

// The key by which failures are grouped: reporter, site, and the message without the parts that
// vary between runs (numbers, ids, names of processes).
struct FailureCause {
  std::string found_by{};  // oracle, "check", "process", "limit", "determinism", or a verdict
  std::string site{};      // role of the process, or place in the code; may be empty
  std::string message{};
  auto operator<=>(const FailureCause&) const = default;

  std::string text() const;  // "J-S5 (joiner): stable mapping broken for id"
};

// Requires a run that failed.
FailureCause cause_of(const RunRecord& run);

struct FailureGroup {
  FailureCause cause{};
  int exit_code = 0;                     // the worst of its runs
  std::vector<const RunRecord*> runs{};  // by (scenario, seed); never empty
};

// The worst verdicts first, then the most frequent causes. The groups refer to the runs of `sum`.
std::vector<FailureGroup> failure_groups(const CampaignSum& sum);

// One failure of each cause, then a second one of each, and so on.
std::vector<const RunRecord*> each_cause_first(const std::vector<FailureGroup>& groups);

}  // namespace photon::analysis
