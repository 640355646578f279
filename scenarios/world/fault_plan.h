// From the scenario's [faults] to the run's explicit, sorted list of faults (DESIGN 5).
#pragma once

#include <vector>

#include "scenarios/language/config.h"
#include "scenarios/world/deployment.h"
#include "sim/faults.h"

namespace photonsim::scenarios {

struct FaultPlan {
  std::vector<photon::sim::Fault> list{};  // by time
  std::vector<bool> scripted{};  // list[i] was written down, not drawn: it must have an effect
};

// `generation`: how long clicks are generated; random faults without `until` stop there.
FaultPlan plan_faults(const Config& config, const Deployment& deployment, Duration generation,
                      std::uint64_t seed);

}  // namespace photonsim::scenarios
