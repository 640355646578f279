// How many kernel events a run may take before it is given up: what sends for ever, or ever more,
// must cost its own run only, and end it in a way that can be shown again.
#pragma once

#include <cstdint>
#include <string>

#include "core_impl/base/time.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios {

// run.most_events; if that is 0 a generous limit that grows with what has been asked of the run:
// its virtual time so far, and clicks so far.
std::uint64_t event_limit(const Config& config, photon::SimTime now, std::uint64_t clicks);

// Where, why, and what to do, as a failed check says it.
std::string event_limit_text(const Config& config, photon::SimTime now, std::uint64_t events);

}  // namespace photonsim::scenarios
