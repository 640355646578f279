// The calendar of a run: what a perfect clock shows at virtual time zero.
#pragma once

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// What a perfect calendar clock shows at virtual time zero: an instant in the year 2020, so that
// stamps look like stamps and boundaries far in the past stay positive.
inline constexpr Duration kCalendarEpoch = std::chrono::seconds(1'600'000'000);

}  // namespace photonsim::scenarios
