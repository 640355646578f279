// A scenario as stored in results files and traces.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/config/config.h"

namespace photonsim::campaigns {

// With it begins the line that tells the contents of a replayed log.
inline constexpr std::string_view kLogContents = "# contents of the trace files: ";

// Everything that determines a run's results: the whole scenario with its seed, and digests of the
// files that it reads.
std::string resolved_text(const scenarios::Config& config);

}  // namespace photonsim::campaigns
