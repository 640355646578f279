// What is probably a mistake in the log of a trace workload, or in what its scenario says about it:
// a wrong unit, a row with a wrong time, a length that the log overrules, faults and operations
// that come after its end.
#pragma once

#include <string>
#include <vector>

#include "models/trace_log.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// One sentence each: problem, then remedy. Names of files and ids are as the user wrote them: print
// them escaped.
std::vector<std::string> trace_warnings(const Config& config, const photon::models::TraceLog& log);

}  // namespace photonsim::scenarios
