// Helpers that generators of several kinds of faults share.
#pragma once

#include <string>

#include "scenarios/config/config.h"
#include "scenarios/faults/targets.h"

namespace photonsim::scenarios {

// Crashes a process that stores data there, once or more, while the storage has a fault.
void start_anew(const std::string& where, Duration at, Duration lasting, Config& config,
                const swarm::Targets& targets, swarm::Draws& draws);

}  // namespace photonsim::scenarios
