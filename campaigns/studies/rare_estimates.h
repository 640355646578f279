// What the replications of one point say of rare events: those of a study with [rare].
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/rare_events/forced_crash.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/study.h"
#include "scenarios/config/config.h"

namespace photonsim::campaigns {

struct CrashReport {
  photon::analysis::ForcedCrashEstimates estimates{};
  // Clicks of all that were lost and that recovery had not returned at the end of the run: the same
  // as estimates.share without verification.
  photon::analysis::Estimate share_at_end{};
  std::uint64_t runs = 0;
  std::uint64_t found_clicks = 0;  // crashes that hit a joiner which had received clicks
  std::uint64_t joiners = 0;
  std::uint64_t cap = 0;  // the most that one crash may lose (joiner.max_window)
  // SPEC G-18: joiners x crashes x mean window / clicks, of a day.
  double theory_share = 0;
};
// `question.method` is forced_crash.
CrashReport crash_report(Runs runs, const scenarios::Config& config, const RareQuestion& question);

struct SplittingReport {
  photon::analysis::Estimate probability{};
  struct Level {
    std::uint64_t at = 0;
    std::uint64_t trials = 0;
    std::uint64_t reached = 0;
  };
  std::vector<Level> levels{};  // sums of all replications
  std::uint64_t least_ancestors = 0, most_ancestors = 0;
  std::uint64_t died_out = 0;  // replications of which no path reached the last level
  std::uint64_t events = 0;
  // Runs of the scenario, each to the end of generation, that would tell as much; 0: not known.
  double runs_needed = 0;
};
SplittingReport splitting_report(Runs runs, const scenarios::Config& config);

}  // namespace photonsim::campaigns
