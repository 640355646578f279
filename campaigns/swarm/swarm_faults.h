// What goes wrong in a world of the swarm, and what its operators do.
#pragma once

#include <cstdint>

#include "campaigns/swarm/dice.h"
#include "campaigns/swarm/swarm.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

void draw_faults(Config& config, const Options& options, std::uint64_t seed);
// One more fault, of a class that means something in this world. Whom it may strike is decided by
// the world's own seed, as for draw_faults: so the world stays in its tier.
void add_fault(Config& config, std::uint64_t world_seed, Dice& dice);
void draw_operations(Config& config, std::uint64_t seed);
// Who must work alone in the end (DESIGN 6). Requires the faults.
void draw_core(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
