// Constraint repair of a generated configuration: time-outs exceed the answers they wait for, and
// every delay ends within the run.
#pragma once

#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

// Raises limits that are too short for any answer to arrive, because then nothing would
// complete. Ignores faults.
void repair_constraints(Config& config);

// A request that starts while its volume is slow takes `factor` times as long, also after the
// fault: none may outlast the run. Among faults of one kind at one place the slowest counts; the
// factors of a datacenter and of a volume in it multiply. Requires the faults.
void limit_slowness(Config& config);

}  // namespace photonsim::scenarios::swarm
