// The machine's clocks, for time limits, estimates and costs. They decide which runs are done,
// never the result of a run.
#pragma once

#include <chrono>

namespace photonsim::campaigns {

using WallClock = std::chrono::steady_clock;

// Seconds of processor time that this process has used.
double processor_seconds();

}  // namespace photonsim::campaigns
