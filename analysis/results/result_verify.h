// Is a results file whole? Proves it, or says what is not.
//
// What is looked at, in one read transaction, so that others may go on writing: SQLite's own check
// of its pages and indexes; that no row belongs to a run or study that is not there; each study:
// its row, its points and their parameters are as they were saved, and no run of it is missing;
// each run: its rows are those that were saved, by its seal (study_rows.h); and each of `run
// --out`: its key is that of its scenario, seed and model, it has a fingerprint, its summary is
// JSON that says the same, its figures are there and its histograms can be read. The pages of
// SQLite have no checksums: without the seals a bit that fell over inside a text would go
// unnoticed.
//
// Reading after a crash first brings SQLite's log into order; nothing else is changed. A file that
// nobody can write where it lies is read as it stands.
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
  std::uint64_t rows = 0;       // that the seals vouch for
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

// An error: there is nothing that could be looked at as a results file.
Result<StoreFindings, FileError> verify_results(const std::string& file);

}  // namespace photon::analysis
