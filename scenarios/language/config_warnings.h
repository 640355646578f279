// Values that are allowed, as a study may want them, and that are probably not meant.
#pragma once

#include "scenarios/language/config.h"
#include "scenarios/language/diagnostic.h"

namespace photonsim::scenarios {

// Adds to `report`, of `config`, which is valid:
//   a time-out below the least time that its answer takes (round trip, and commit where one is
//   waited for);
//   a pinned datacenter although no master is pinned;
//   stated round trips that are longer than a detour through a third datacenter.
void add_warnings(const Config& config, const Places& places, Report& report);

}  // namespace photonsim::scenarios
