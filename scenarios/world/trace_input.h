// The log of a trace workload, as the scenario names it.
#pragma once

#include "core_impl/base/result.h"
#include "models/trace_log.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// Requires kind = "trace".
photon::Result<photon::models::TraceLog, photon::models::InputFaults> read_trace(
    const Config& config);

}  // namespace photonsim::scenarios
