// The files that `run` writes.
//
// Everything that must be known to be writable is opened before hours of work are put in. What does
// not get a whole run leaves no trace of itself: a new results file is written under a name of its
// own beside the place where it belongs and gets its name only when it holds the run, as a trace
// does. So what is removed again is never a file that another program may have opened or filled.
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

// What a trace of the run says besides its records.
photon::analysis::TraceHead trace_head(const RunCommand& command, const scenarios::Config& config);
photon::analysis::TraceEnd trace_end(const scenarios::RunOutcome& outcome);

class RunOutputs {
 public:
  RunOutputs() = default;
  RunOutputs(const RunOutputs&) = delete;
  RunOutputs& operator=(const RunOutputs&) = delete;
  ~RunOutputs();

  // kOk; otherwise the reason has been said.
  int open(const RunCommand& command, const scenarios::Config& config);
  photon::trace::Sink* trace() { return trace_.get(); }  // null if none is wanted
  // Requires a run that came to its end. kOk; otherwise the reason has been said.
  int save(const scenarios::Config& config, const scenarios::RunOutcome& outcome);

 private:
  // Each says why and returns false if it fails.
  bool open_results();
  bool save_results(const photon::analysis::RunResult& result);
  void drop_results();  // what has not been saved

  std::string replay_{};  // the command that shows the run again
  std::string wanted_{};  // the results file, as the user said it
  // Where the results are until they are whole; nothing if the results file was there before.
  std::optional<photon::analysis::DraftFile> draft_{};
  std::optional<photon::analysis::ResultStore> results_{};
  std::unique_ptr<photon::analysis::TraceWriter> trace_{};
};

}  // namespace photonsim::cli
