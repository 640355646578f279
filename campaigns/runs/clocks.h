// The clocks of the machine, for limits of time, estimates and costs. They decide which runs are
// done and never what one of them comes to.
#pragma once

#include <chrono>

namespace photonsim::campaigns {

using WallClock = std::chrono::steady_clock;

// Seconds of processor time that this process has used.
double processor_seconds();

}  // namespace photonsim::campaigns
