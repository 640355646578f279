// The shape of a generated configuration: everything but its faults.
#pragma once

#include <cstdint>

#include "campaigns/swarm/swarm.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

// Between any two of its datacenters.
Duration longest_round_trip(const Config& config);

Config generate_deployment(const Options& options, Tier tier, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
