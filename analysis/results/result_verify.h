// Is a results file whole? Proves it, or names the faults.
//
// Checked in one read transaction, so that others may continue writing: SQLite's own check of its
// pages and indexes; that every row belongs to an existing run or study; each study: its row, its
// points and their parameters are as they were saved, and none of its runs is missing; each run:
// its rows are those that were saved, by its seal (study_rows.h); and each of `run --out`: its key
// is that of its scenario, seed and model, it has a fingerprint, its summary is JSON that agrees,
// its figures are there and its histograms can be read. The pages of SQLite have no checksums:
// without the seals a flipped bit inside a text would go unnoticed.
//
// Reading after a crash first brings SQLite's log into order; nothing else is changed. A file that
// cannot be written in its place is read as it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

struct StoreFindings {
  int schema = 0;
  std::uint64_t runs = 0;
  std::uint64_t scenarios = 0;  // different names among them
  std::uint64_t rows = 0;       // covered by the seals
  std::uint64_t campaigns = 0;
  std::uint64_t campaign_runs = 0;
  std::vector<std::string> faulty_campaigns{};  // keys
  std::uint64_t bytes = 0;                      // of the file, and of SQLite's log beside it
  // The first kMostFaults, each with its place: "run 0123456789abcdef: its summary is no JSON".
  static constexpr std::size_t kMostFaults = 20;
  std::vector<std::string> faults{};
  std::uint64_t faulty_runs = 0;

  bool is_whole() const { return faults.empty(); }
};

// An error: the file cannot be read as a results file.
Result<StoreFindings, FileError> verify_results(const std::string& file);

}  // namespace photon::analysis
