// Configurations that break one of Photon's assumptions. Damage must follow, and the oracle that
// the configuration names must report it (SPEC J-H3, A-35; DESIGN 6). They are the positive
// controls of the harness. Their only other faults are random network faults.
#pragma once

#include <cstdint>

#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

// Requires a configuration with pipelines, generated for Tier::kContract.
void draw_contract(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
