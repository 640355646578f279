// From the campaigns of a results file to CSV: one line for each run, one column for each figure.
//
//   campaign,scenario,seed,exit_code,verdict,what,replay,fingerprint,events,sim_seconds,
//   cpu_seconds, then the counts of the run by their names, groups of counts as GROUP.NAME
//   (fault_kinds.clog), marks of the code as marks.NAME
//
// Campaigns of several versions may have other columns: a cell is empty where a run has none.
// Lines are ordered by campaign, then as the runs ended.
#pragma once

#include <string>

#include "analysis/results/campaign_store.h"

namespace photonsim::notebooks {

// Writes the runs of all campaigns of `store` to `file`. On an error what had that name before
// still has it (draft_file.h).
photon::Result<void, photon::analysis::FileError> export_campaigns_csv(
    const photon::analysis::CampaignStore& store, const std::string& file);

}  // namespace photonsim::notebooks
