// What goes wrong with disks and cells in a world of the swarm.
#pragma once

#include <cstdint>
#include <string>

#include "campaigns/swarm/dice.h"
#include "campaigns/swarm/swarm_targets.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

void draw_disk(Config& config, const Targets& targets, Dice& dice);
// In half of the worlds. Wrong bytes are found by a restart, so whoever has them may be crashed.
void draw_disks(Config& config, const Targets& targets, std::uint64_t seed);

// Somebody who keeps something there dies, once or more, while the storage is in trouble.
void start_anew(const std::string& where, Duration at, Duration lasting, Faults& faults,
                const Targets& targets, Dice& dice);

}  // namespace photonsim::scenarios::swarm
