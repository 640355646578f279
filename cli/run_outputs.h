// The files that `run` writes.
//
// Every output is opened before the run, which may take hours. An output that does not receive a
// whole run leaves no file. A new results file, like a trace, is written as a draft under another
// name beside its place and renamed when it holds the run. A removed file is therefore never one
// that another program may have opened or filled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "analysis/reports/traced_run.h"
#include "analysis/results/result_store.h"
#include "analysis/trace_files/draft_file.h"
#include "analysis/trace_files/trace_file.h"
#include "cli/commands.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {

// The head of the run's trace.
photon::analysis::TraceHead trace_head(const RunCommand& command, const scenarios::Config& config);
photon::analysis::TraceEnd trace_end(const scenarios::RunOutcome& outcome);

class RunOutputs {
 public:
  RunOutputs() = default;
  RunOutputs(const RunOutputs&) = delete;
  RunOutputs& operator=(const RunOutputs&) = delete;
  ~RunOutputs();

  // Returns kOk, or another code after printing the reason.
  int open(const RunCommand& command, const scenarios::Config& config);
  photon::trace::Sink* trace() { return trace_.get(); }  // null without --trace
  // Requires a complete run. Returns kOk, or another code after printing the reason.
  int save(const scenarios::Config& config, const scenarios::RunOutcome& outcome);

 private:
  // Each prints the reason and returns false if it fails.
  bool open_results();
  bool save_results(const photon::analysis::RunResult& result);
  void drop_results();  // those not saved

  std::string replay_{};  // the command that reproduces the run
  std::string named_{};   // the results file as the user named it
  // The unfinished results file; nothing if the file existed before.
  std::optional<photon::analysis::DraftFile> draft_{};
  std::optional<photon::analysis::ResultStore> results_{};
  std::unique_ptr<photon::analysis::TraceWriter> trace_{};
};

}  // namespace photonsim::cli
