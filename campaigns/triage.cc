#include "campaigns/triage.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/reports/verdict.h"
#include "campaigns/campaign.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;
std::vector<FailureGroup> failure_groups(const CampaignSum& sum) {
  std::map<FailureCause, FailureGroup> by_cause;
  for (const auto& [key, run] : sum.failures()) {
    const FailureCause cause = cause_of(run);
    FailureGroup& group = by_cause[cause];
    const bool worse =
        group.runs.empty() || analysis::rank_of(run.exit_code) < analysis::rank_of(group.exit_code);
    if (worse) group.exit_code = run.exit_code;
    group.cause = cause;
    group.runs.push_back(&run);
  }
  std::vector<FailureGroup> groups;
  for (auto& [cause, group] : by_cause) groups.push_back(std::move(group));
  std::ranges::stable_sort(groups, [](const FailureGroup& one, const FailureGroup& other) {
    const std::size_t rank = analysis::rank_of(one.exit_code);
    const std::size_t other_rank = analysis::rank_of(other.exit_code);
    if (rank != other_rank) return rank < other_rank;
    if (one.runs.size() != other.runs.size()) return one.runs.size() > other.runs.size();
    const auto key = [](const FailureGroup& group) {
      return std::pair(group.runs.front()->scenario, group.runs.front()->seed);
    };
    return key(one) < key(other);
  });
  return groups;
}

std::vector<const analysis::RunRecord*> each_cause_first(const std::vector<FailureGroup>& groups) {
  std::vector<const analysis::RunRecord*> runs;
  bool more = true;
  for (std::size_t i = 0; more; ++i) {
    more = false;
    for (const FailureGroup& group : groups) {
      if (i >= group.runs.size()) continue;
      runs.push_back(group.runs[i]);
      more = true;
    }
  }
  return runs;
}

}  // namespace photonsim::campaigns
