// From a results file to a folder of CSV files that a data frame reads as they are: one row for
// each observation, a column for each parameter in which the runs differ, and a dictionary of it
// all (data_dictionary.csv: file,column,value,type,unit,meaning).
//
//   runs.csv, metrics.csv   csv_export.h
//   others                  tidy_tables.h, each with run,scenario,seed,[parameters] first
//
// Every file is there, with its head alone where the results file has no such rows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/result_reader.h"

namespace photonsim::notebooks {

// Names of the files of an export.
std::vector<std::string> tidy_files();

struct ExportedFile {
  std::string name{};
  std::uint64_t rows = 0;
};

// What a parameter of scenarios is, in a sentence.
using MeaningOfParameter = std::function<std::string(std::string_view name)>;

// Makes the folder. On an error all files that were there are as they were, unless the disk fails
// between two of them. Memory does not grow with the rows.
photon::Result<std::vector<ExportedFile>, photon::analysis::FileError> export_tidy(
    const photon::analysis::ResultReader& results, const std::string& folder,
    const MeaningOfParameter& meaning_of);

}  // namespace photonsim::notebooks
