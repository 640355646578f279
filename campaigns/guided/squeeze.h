// A world, made shorter: the same faults in the same order in less time, and less load in
// proportion. What a search costs is counted in kernel events, and most of those of a world are
// heartbeats and scans between its faults; what needs several rare events in a row gets more of
// them for the same cost.
//
// How long each fault lasts stays as it is, and so does every constant of the protocols: a world
// within tolerance stays so.
#pragma once

#include "scenarios/language/config.h"

namespace photonsim::scenarios::guided {

// To 1/2^halvings of its length, but not below what a scenario needs; as it is if that would not
// be valid. Requires a run.duration.
Config squeezed(const Config& config, unsigned halvings);

}  // namespace photonsim::scenarios::guided
