// The load of [workload.synthetic] over the time of a run.
#pragma once

#include <memory>

#include "models/load_shape.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// The factor of the load, or with a rate file the rate itself; null: it does not change.
std::shared_ptr<const photon::models::LoadShape> load_shape_of(const Config& config);

// The mean number of clicks from the end of the warm-up to the end of the load that `rate` or
// `rate_file` asks for; 0 if neither is stated. Requires a duration.
double clicks_of_rate(const Config& config);

// The greatest rate over the mean one, at least 1. Requires a duration.
double peak_factor(const Config& config);

}  // namespace photonsim::scenarios
