// The pauses and time-outs by which a run is judged, for the system under test has them too: from
// the scenario and SPEC alone, without the core's own arithmetic (photon::Backoff, jittered).
#pragma once

#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// What the deployment has and no scenario states.
inline constexpr Duration kRequestPause = 50ms;   // of a client of the registry, after a refusal
inline constexpr Duration kCacheTimeout = 200ms;  // then a joiner's EventStore asks the logs
inline constexpr Duration kVerifierLease = 10s;   // of the journal of verification
inline constexpr Duration kFetchTimeout = 1s;     // then a piece of a snapshot is asked for again
// A request without an answer is repeated after at most this number of time-outs (J-P12).
inline constexpr int kMostTimeouts = 16;

// The longest and the shortest pause that the backoff allows after one failure, two, ... (C-21);
// the last element holds for all later ones.
std::vector<Duration> longest_pauses(const Dispatcher& dispatcher);
std::vector<Duration> shortest_pauses(const Dispatcher& dispatcher);

// Between two looks of a worker at its directory.
Duration longest_scan_pause(const Dispatcher& dispatcher);

}  // namespace photonsim::scenarios
