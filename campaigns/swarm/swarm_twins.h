// Loads whose ids differ as little as ids can: in one field alone; some share part of their hashes.
#pragma once

#include <cstdint>

#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

// Gives half of the loads such ids. Those of a pipeline's clicks and queries need a tick or
// coarse stamps: only then do events of a server's processes share one (models/server_ids.h).
void draw_twins(Config& config, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
