// Worlds in which an assumption that Photon rests on is broken, in one of several ways: damage must
// follow, and the oracle that the world names must say so (SPEC J-H3, A-35; DESIGN 6). The positive
// controls of the harness. Nothing else goes wrong in them but what the network does by chance.
#pragma once

#include <cstdint>

#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

// Requires a world of pipelines, drawn for Tier::kContract.
void draw_contract(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
