// From a results file to CSV: what a notebook or a spreadsheet reads.
//
// One row per figure, so that figures may come and go without a change of columns:
//   run,scenario,seed,metric,value
// Rows are ordered by run and figure; numbers are written so that they read back exactly.
#pragma once

#include <string>

#include "analysis/results/result_store.h"

namespace photonsim::notebooks {

// Writes all runs of `store` to `file`. On an error what had that name before still has
// it (draft_file.h).
photon::Result<void, photon::analysis::FileError> export_csv(
    const photon::analysis::ResultStore& store, const std::string& file);

}  // namespace photonsim::notebooks
