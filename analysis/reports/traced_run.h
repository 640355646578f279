// Between what a raw trace says of its run and the run's summary.
#pragma once

#include "analysis/reports/summary.h"
#include "analysis/trace_files/trace_file.h"

namespace photon::analysis {

// The end of the run that `summary` is about.
TraceEnd trace_end_of(const Summary& summary);
// Sets what the runner had set, apart from wall time and memory, which no trace knows.
void describe_run(const TraceHead& head, const TraceEnd& end, Summary& summary);

}  // namespace photon::analysis
