// Triage: the failures of a campaign by their cause.
#pragma once

#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/runs/failure_cause.h"

namespace photonsim::campaigns {

class CampaignSum;

struct FailureGroup {
  FailureCause cause{};
  int exit_code = 0;                                       // the worst of its runs
  std::vector<const photon::analysis::RunRecord*> runs{};  // by (scenario, seed); never empty
};

// The worst verdicts first, then the most frequent causes. The groups refer to the runs of `sum`.
std::vector<FailureGroup> failure_groups(const CampaignSum& sum);

// One failure of each cause, then a second one of each, and so on.
std::vector<const photon::analysis::RunRecord*> each_cause_first(
    const std::vector<FailureGroup>& groups);

}  // namespace photonsim::campaigns
