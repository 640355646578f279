// Faults of disks and cells in a generated configuration.
#pragma once

#include <cstdint>
#include <string>

#include "campaigns/swarm/rng.h"
#include "campaigns/swarm/swarm_targets.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

void draw_disk(Config& config, const Targets& targets, Rng& rng);
// In half of the configurations. A restart finds wrong bytes, so a process that reads
// them may crash.
void draw_disks(Config& config, const Targets& targets, std::uint64_t seed);

// Crashes a process that stores data there, once or more, while the storage fault lasts.
void start_anew(const std::string& where, Duration at, Duration lasting, Faults& faults,
                const Targets& targets, Rng& rng);

}  // namespace photonsim::scenarios::swarm
