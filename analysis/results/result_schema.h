// The tables of a results file, and how one is opened. README.md documents them.
#pragma once

#include <string>

#include "analysis/results/result_database.h"
#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

// Opens for writing, creating the file (not its directory): WAL, foreign keys on. Makes the tables
// of a new file. Refuses, and leaves as it is, a file of another program or of another schema.
Result<Database, FileError> open_results(const std::string& file);

// The refusal of a file whose schema is older than kResultStoreVersion.
FileError too_old(const std::string& file, int schema);

}  // namespace photon::analysis
