// The tables of a results file, and how one is opened. docs/results_schema.md documents them.
#pragma once

#include <string>
#include <string_view>

#include "analysis/results/result_database.h"
#include "analysis/results/run_record.h"
#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

// Files of other schemas are refused.
inline constexpr int kResultStoreVersion = 13;

// Of RunRecord::each_scalar: the one that is no column of table `run`, which has its point instead;
// and the one that is a text, because it has 64 bits.
inline constexpr std::string_view kPointColumn = "scenario";
inline constexpr std::string_view kSeedColumn = "seed";

// Opens for writing, creating the file (not its directory): WAL, foreign keys on. Makes the tables
// of a new file. Refuses a file of another program or of another schema, and leaves it unchanged.
Result<Database, FileError> open_results(const std::string& file);

// Opens an existing file and begins a transaction, so that everything is read from one state of it.
// After a crash SQLite's log is brought into order first. A file that cannot be written, or lies in
// a directory that cannot be written, is read as it is.
Result<Database, FileError> open_results_for_reading(const std::string& file);

}  // namespace photon::analysis
