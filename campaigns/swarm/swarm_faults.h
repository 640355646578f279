// Faults and operator actions of a generated configuration.
#pragma once

#include <cstdint>

#include "campaigns/swarm/rng.h"
#include "campaigns/swarm/swarm.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

void draw_faults(Config& config, const Options& options, std::uint64_t seed);
// Adds one fault of a class that applies to this configuration. As for draw_faults, the
// configuration's own seed decides which processes may fail, so that it stays in its tier.
void add_fault(Config& config, std::uint64_t root_seed, Rng& rng);
void draw_operations(Config& config, std::uint64_t seed);
// Draws the datacenters that must finish without the others (DESIGN 6). Requires the faults.
void draw_core(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
