// Rules that several kinds of faults share. `path` names the entry: "faults.crash.2".
#pragma once

#include <string>

#include "scenarios/faults/log.h"
#include "scenarios/schema/validation.h"

namespace photonsim::scenarios {

// Refuses a fault that cannot take effect; the run would fail at its end (DESIGN 6).
void check_start(Validation& v, const std::string& path, Duration at);
void check_has_configuration(Validation& v, const std::string& path);
// The workload has logs and output, and the datacenter, if one is named, a copy of them.
void check_log_place(Validation& v, const std::string& path, const std::string& datacenter);
// "any", or the number of a server that writes such logs.
void check_log_server(Validation& v, const std::string& path, LogKind log, const std::string& name);

}  // namespace photonsim::scenarios
