// Time compression: the same faults in the same order in less time, with proportionally less load.
// Most kernel events of a configuration are heartbeats and scans between its faults, and the cost
// of a search is counted in events. A shorter run therefore gives more coincidences of rare events
// for the same cost.
//
// Durations of faults and constants of the protocols do not change, so a configuration within
// tolerance stays so.
#pragma once

#include "scenarios/config/config.h"

namespace photonsim::scenarios::guided {

// Compresses to 1/2^halvings of its length, but not below the minimum of a scenario; returns it
// unchanged if the result would be invalid. Requires a run.duration.
Config compressed(const Config& config, unsigned halvings);

}  // namespace photonsim::scenarios::guided
