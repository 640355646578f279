#include "campaigns/reduce/same_failure.h"

#include <algorithm>

#include "campaigns/runs/verdict.h"

namespace photonsim::scenarios::shrink {

std::vector<FoundFailure> failures_of(const RunOutcome& outcome) {
  if (!outcome.is_complete()) return {failure_of(campaigns::record_of(outcome))};
  std::vector<FoundFailure> failures;
  const std::vector<photon::analysis::Violation>& all = outcome.summary.violations;
  for (const auto& each : all) {
    failures.push_back(
        {campaigns::cause_of_finding(each.oracle, each.process, each.message), each.message});
  }
  if (failures.empty()) return failures;
  auto first = std::ranges::find(all, photon::analysis::Severity::safety,
                                 &photon::analysis::Violation::severity);
  if (first == all.end()) {  // exempt findings do not fail a run
    first = std::ranges::find_if(
        all, [&](const auto& each) { return !outcome.expectations.is_exempt(each.oracle); });
  }
  if (first == all.end()) first = all.begin();
  std::rotate(failures.begin(), failures.begin() + (first - all.begin()),
              failures.begin() + (first - all.begin()) + 1);
  return failures;
}

FoundFailure failure_of(const photon::analysis::RunRecord& run) {
  return {campaigns::cause_of(run), run.what};
}

const FoundFailure* find(const std::vector<FoundFailure>& failures,
                         const campaigns::FailureCause& cause) {
  const auto found = std::ranges::find(failures, cause, &FoundFailure::cause);
  return found == failures.end() ? nullptr : &*found;
}

}  // namespace photonsim::scenarios::shrink
