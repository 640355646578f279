// The processor time of Photon's servers: which message, or which answer of a volume, costs what.
//
// A new cost is a row here, and a key of [service] if scenarios may set it. Roles know nothing of
// this.
#pragma once

#include "scenarios/language/config.h"
#include "sim/service_times.h"

namespace photonsim::scenarios {

photon::sim::ServiceTimes service_times(const Config& config);

}  // namespace photonsim::scenarios
