// What keeps a drawn world from being nonsense, however its parts were drawn: whoever waits does so
// for longer than the answer takes, and what is held up comes to an end within the run.
#pragma once

#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

// What is shorter than what it waits for is no limit of a protocol but nonsense: nothing would ever
// come to an end. Faults play no part in it.
void keep_sense(Config& config);

// A request that is begun while its volume is slow takes so many times its time, also when the
// fault is over: none shall outlast the run. Of faults of one kind at one place the slowest rules;
// that of a datacenter and that of a volume in it multiply. Requires the faults.
void limit_slowness(Config& config);

}  // namespace photonsim::scenarios::swarm
