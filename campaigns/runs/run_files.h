// The results file and the trace that one run writes.
//
// Both are opened before the run, so a file that cannot be written costs no run. A new file is
// written as a draft beside its place and takes its name when it is whole; a run that is cut off
// leaves nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reports/traced_run.h"
#include "analysis/results/result_store.h"
#include "analysis/trace_files/draft_file.h"
#include "analysis/trace_files/trace_file.h"
#include "scenarios/world/runner.h"

namespace photonsim::campaigns {

// What the files record about where their run comes from.
struct RunOrigin {
  std::string scenario{};                // path of the TOML file
  std::vector<std::string> overrides{};  // "key=value"
  std::string model_version{};
  std::string program{};  // version, commit and compiler, for people
};

// What a trace says besides its records.
photon::analysis::TraceHead trace_head(const RunOrigin& origin, const scenarios::Config& config);
photon::analysis::TraceEnd trace_end(const scenarios::RunOutcome& outcome);

struct RunFileNames {
  std::string results{};  // SQLite file; empty: none
  std::string trace{};    // raw trace file; empty: none
};

class RunFiles {
 public:
  RunFiles() = default;
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;
  ~RunFiles();

  // kOk; otherwise another exit code, and error() says why.
  int open(const RunFileNames& names, const RunOrigin& origin, const scenarios::Config& config);
  photon::trace::Sink* trace() { return trace_.get(); }  // null: no trace is written
  // Requires a run that came to its end. kOk; otherwise another exit code, and error() says why.
  // `took`: processor seconds of the run.
  int save(const scenarios::Config& config, const scenarios::RunOutcome& outcome, double took);

  const std::string& error() const { return error_; }  // its cause and its remedy

 private:
  bool refuse(std::string reason);  // false
  // In terms of the file that the user named. False.
  bool refuse_results(photon::analysis::FileError error);
  bool are_apart(const RunFileNames& names, const scenarios::Config& config);
  bool is_no_input(const std::string& option, const std::string& file,
                   const scenarios::Config& config);
  bool open_results();
  bool open_store(const std::string& file);
  bool save_results(const photon::analysis::RunDetails& run);
  void drop_results();  // what has not been saved

  RunOrigin origin_{};
  std::string error_{};
  std::string replay_{};  // the command that shows the run again
  std::string named_{};   // the results file, as the user named it
  // Where the results are until they are whole; nothing if the results file was there before.
  std::optional<photon::analysis::DraftFile> draft_{};
  std::optional<photon::analysis::ResultStore> results_{};
  std::unique_ptr<photon::analysis::TraceWriter> trace_{};
};

}  // namespace photonsim::campaigns
