// The processor time of Photon's servers: the cost of each message and of each answer of a volume.
//
// A new cost is a row in service_times.cc, and a key of [service] if scenarios may set it. Roles
// know nothing of this.
#pragma once

#include "scenarios/config/config.h"
#include "sim/service_times.h"

namespace photonsim::scenarios {

photon::sim::ServiceTimes service_times(const Config& config);

}  // namespace photonsim::scenarios
