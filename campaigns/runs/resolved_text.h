// A scenario as stored in results files and traces.
#pragma once

#include <string>

#include "scenarios/config/config.h"

namespace photonsim::campaigns {

// Everything that determines a run's results: the whole scenario with its seed, and digests of the
// files that it reads.
std::string resolved_text(const scenarios::Config& config);

}  // namespace photonsim::campaigns
