// Configurations in which a pipeline returns to a backlog that takes minutes to drain (J-P3).
#pragma once

#include <cstdint>

#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

// Turns 5% of the eligible configurations into such ones: the pipeline has one outage, and there is
// no other fault. With other faults around the outage the backlog is gone, or the next fault
// begins, before J-P3 can check it.
void draw_backlog(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
