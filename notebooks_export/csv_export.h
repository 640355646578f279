// From a results file to CSV: what a notebook or a spreadsheet reads. Runs of `run --out` and of
// campaigns alike, and two forms:
//
//   metrics  one row per figure, unique by (run, metric), so that figures may come and go without a
//            change of columns:   run,scenario,seed,[parameters],metric,unit,value
//   runs     one row per run:     run,study,scenario,seed,[parameters],verdict, then every value
//            that a run has once (RunRecord::each_scalar)
//
// `run` is the number of the run in the file. [parameters]: a column for each parameter of the
// scenarios in which the runs of the file differ, by its name; empty where a run has none. Coverage
// stands among the metrics: "mark.NAME", "corner_case.NAME", "obligation.NAME", "fault_kind.NAME".
// Rows are ordered by study, then as the runs were saved; numbers read back exactly.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/results/result_reader.h"

namespace photonsim::notebooks {

enum class CsvForm : std::uint8_t { metrics, runs };

// Writes all runs of `results` to `file`. On an error what had that name before still has it
// (draft_file.h); FileError::damaged: the results file is not as it was saved.
photon::Result<void, photon::analysis::FileError> export_csv(
    const photon::analysis::ResultReader& results, const std::string& file, CsvForm form);

// Writes one row for each foreign event of the logs that the runs of `results` replayed:
//
//   run,foreign_id,primary_id,outcome,class,foreign_time,primary_time,written_time,pipeline,writer,
//   registered_after_seconds,written_after_seconds
//
// Ids and times are those of the log; the last two count from the event. `pairs` is set to the
// number of rows; without any no file is written. Memory does not grow with them.
photon::Result<void, photon::analysis::FileError> export_joined_pairs(
    const photon::analysis::ResultReader& results, const std::string& file, std::uint64_t& pairs);

}  // namespace photonsim::notebooks
