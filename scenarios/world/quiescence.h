// The limit for a healed run to drain before it counts as stuck (SPEC J-P0).
#pragma once

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// The scenario's own limit, or twice the sum of: the unjoinable age, all backoffs up to the last
// attempt, an election, the longest time-outs, what verification waits for and takes, and an
// allowance for logs still under way and for slow cells.
Duration quiesce_limit(const Config& config);

// How long undisturbed verification takes to bring back a click that the crash of a joiner has cost
// (J-P4): the click is old enough, is checked, brought back, and checked again. 0 without
// verification.
Duration recovery_bound(const Verification& verification);

}  // namespace photonsim::scenarios
