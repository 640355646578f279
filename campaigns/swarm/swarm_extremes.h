// Protocol constants pushed to their limits, which reaches code that rarely runs. A configuration
// draws a share, from none to a third. Each knob takes its least or greatest sensible value with
// that probability. Usually few knobs move, so that one does not mask the effect of another.
#pragma once

#include <cstdint>

#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

// Requires a configuration that is complete but for its faults; it still
// satisfies config_validate.h afterwards.
void push_to_extremes(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
