// The parts of Photon that an outage can take apart from others (SPEC A-25). Traces hold the
// numbers.
#pragma once

#include <string>
#include <vector>

#include "sim/topology.h"

namespace photonsim::scenarios::component {

// Processes.
inline constexpr photon::sim::Component kRegistry{0};
inline constexpr photon::sim::Component kPipeline{1};
inline constexpr photon::sim::Component kOther{4};
// Volumes.
inline constexpr photon::sim::Component kCell{2};
inline constexpr photon::sim::Component kLogs{3};

// In the order of the numbers.
inline std::vector<std::string> names() {
  return {"registry", "pipeline", "cell", "logs", "other"};
}

}  // namespace photonsim::scenarios::component
