// Constants of the protocols pushed to their limits: there code is found that rarely runs. A world
// draws a share, from none to a third, and each knob stands at its least or greatest sensible value
// with that probability: mostly few at a time, so that one does not hide what another would show.
#pragma once

#include <cstdint>

#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

// Requires a world that is drawn but for its faults; its rules still hold afterwards
// (config_validate.h).
void push_to_extremes(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
