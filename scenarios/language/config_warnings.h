// Warnings about valid values that are probably a mistake, though a study may need them.
#pragma once

#include <string_view>

#include "scenarios/config/config.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::scenarios {

// How the warning of an overload begins. A study expects it at some of its points.
inline constexpr std::string_view kCannotKeepUp = "this deployment cannot keep up";

// Adds to `report`, for a valid `config`:
//   - a time-out below the least time of its answer (round trip, and commit if the
//     answer needs one);
//   - a pinned datacenter although no master is pinned;
//   - stated round trips that are longer than a detour through a third datacenter.
void add_warnings(const Config& config, const Places& places, Report& report);

}  // namespace photonsim::scenarios
