// The rows of a run of `run --out`, for the files of this folder.
#pragma once

#include "analysis/results/result_database.h"
#include "analysis/results/run_details.h"

namespace photon::analysis {

// Saves the run in the study of its model version, inside a transaction; replaces a run of the same
// key. False: an error of the database.
bool save_run(sqlite3* database, const RunDetails& run);

}  // namespace photon::analysis
