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

// A request that is begun while its volume is slow takes so many times its time, also when the
// fault is over: none shall outlast the run. Of faults of one kind at one place the slowest rules;
// that of a datacenter and that of a volume in it multiply. Requires the faults.
void limit_slowness(Config& config);

}  // namespace photonsim::scenarios::swarm
