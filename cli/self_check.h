// Is a run a pure function of its scenario and seed? It is done again and compared; if the two are
// not the same, two more replays find the first event that differs (SPEC J-S17, DESIGN 5).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "scenarios/world/runner.h"

namespace photonsim::cli {

// Does the run again; `watched`: the events to be noted down, if any.
using Replay = std::function<scenarios::RunOutcome(std::optional<scenarios::WatchedRange> watched)>;

// Empty if the replay is the same as the first run. Otherwise one sentence that names the first
// event that differs, after at most three replays.
std::string difference(const scenarios::RunOutcome& first, const Replay& replay);

// Whether the run with this seed belongs to the share of runs that are done twice.
bool is_checked(std::uint64_t seed, double share);

}  // namespace photonsim::cli
