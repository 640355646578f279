// The names of the events of a replayed log.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "analysis/reports/event_names.h"
#include "core_impl/base/result.h"
#include "models/tables/input_fault.h"
#include "models/trace_workload.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

class Environment;

// `workload` must outlive the names.
std::unique_ptr<photon::analysis::EventNames> names_of(
    const photon::models::TraceWorkload& workload);

// Keeps the environment. Null unless it replays a log.
std::unique_ptr<photon::analysis::EventNames> names_of(std::unique_ptr<Environment> environment);

// Of a run of this configuration and seed, found without running it. Null unless it replays a log.
// Fails on bad files.
photon::Result<std::unique_ptr<photon::analysis::EventNames>, photon::models::InputFaults>
event_names(const Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios
