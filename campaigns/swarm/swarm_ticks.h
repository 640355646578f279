// Configurations whose time advances in coarse ticks, so that moments coincide which otherwise
// would differ by random nanoseconds: a reply and its time-out, the ends of two leases, an age and
// its limit, the stamps of two servers.
#pragma once

#include <cstdint>

#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

// Gives a quarter of the configurations a tick (run.tick). In half of these the clocks of hosts run
// at the same rate and leases make no allowance for drift: only then do they end at ticks, too.
void draw_tick(Config& config, std::uint64_t seed);

// With a tick: makes all spans and moments of the configuration multiples of it.
void round_to_tick(Config& config);

}  // namespace photonsim::scenarios::swarm
