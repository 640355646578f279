// Worlds of the swarm in which a pipeline comes back to a backlog that takes it minutes (J-P3).
#pragma once

#include <cstdint>

#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

// Makes a few of the worlds such ones: the pipeline is out for a while, and nothing else goes
// wrong. Behind an outage among other faults a backlog is gone, or the next fault is there, before
// anything can be demanded of it.
void draw_backlog(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
