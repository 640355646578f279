// The records for `trace`: from a trace file, or from a run that is done for it. Both can be read
// more than once: a file is read again, and a run with the same seed is repeated. Only what a
// picture shows is stored.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/oracles/violation.h"
#include "analysis/trace_files/trace_file.h"
#include "campaigns/runs/trace_head.h"
#include "cli/commands/commands.h"
#include "core_impl/trace/record.h"
#include "trace_views/window.h"

namespace photonsim::cli {

class TraceSource {
 public:
  TraceSource() = default;
  TraceSource(const TraceSource&) = delete;
  TraceSource& operator=(const TraceSource&) = delete;
  virtual ~TraceSource() = default;

  // The violations, and what the run knew at its end.
  struct Verdict {
    std::vector<photon::analysis::Violation>
        violations{};  // in the order in which judge lists them
    std::uint64_t violations_total = 0;
    photon::analysis::TraceEnd end{};
  };

  virtual const photon::analysis::TraceHead& head() const = 0;
  // Of the events of a replayed log, where there is one.
  campaigns::TraceNames names() const { return campaigns::names_of_trace(head()); }
  // Returns kOk, or another code after printing the reason. Both hand every record to `sink`.
  virtual int judge(photon::trace::Sink& sink, Verdict& verdict) = 0;
  virtual int replay(photon::trace::Sink& sink) = 0;
};

// What a picture says of the run. `names`: null, or they outlive the result.
trace_views::Run run_of(const photon::analysis::TraceHead& head,
                        const TraceSource::Verdict& verdict,
                        const photon::analysis::EventNames* names);

// Null, after printing the reason, for exit code kUsage.
std::unique_ptr<TraceSource> open_source(const TraceCommand& command);

}  // namespace photonsim::cli
