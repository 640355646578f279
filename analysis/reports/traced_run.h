// Converts between a raw trace's facts about its run and the run's summary.
#pragma once

#include "analysis/reports/summary.h"
#include "analysis/trace_files/trace_file.h"

namespace photon::analysis {

// The end of the run that `summary` is about.
TraceEnd trace_end_of(const Summary& summary);
// Sets the fields that the runner had set, except wall time and memory, which a trace does
// not contain.
void describe_run(const TraceHead& head, const TraceEnd& end, Summary& summary);

}  // namespace photon::analysis
