// The limit of kernel events of a run. A run that exceeds it fails, for example because processes
// send without end. Only that run fails, and a replay fails at the same event.
#pragma once

#include <cstdint>
#include <string>

#include "core_impl/base/time.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// run.most_events; if that is 0, a generous limit that grows with the virtual time and the clicks
// of the run so far.
std::uint64_t event_limit(const Config& config, photon::SimTime now, std::uint64_t clicks);

// The message of the failed check: where, why, and what to do.
std::string event_limit_text(const Config& config, photon::SimTime now, std::uint64_t events);

}  // namespace photonsim::scenarios
