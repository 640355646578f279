// A scenario as results files and traces keep it.
#pragma once

#include <string>

#include "scenarios/language/config.h"

namespace photonsim::campaigns {

// All that decides the results of a run: the whole scenario with its seed, and digests of the files
// that it reads.
std::string resolved_text(const scenarios::Config& config);

}  // namespace photonsim::campaigns
