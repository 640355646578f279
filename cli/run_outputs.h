// The files that `run` writes.
//
// Everything that must be known to be writable is opened before hours of work are put in. What does
// not get a whole run leaves no trace of itself: a results file that `open` made is removed again,
// and a trace gets its name only when it is complete.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "analysis/result_store.h"
#include "analysis/trace_file.h"
#include "cli/commands.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {

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
  std::string fresh_{};  // the results file, if it was not there before and holds no run yet
  std::optional<photon::analysis::ResultStore> results_{};
  std::unique_ptr<photon::analysis::TraceWriter> trace_{};
};

}  // namespace photonsim::cli
