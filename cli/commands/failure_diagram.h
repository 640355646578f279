// The space-time diagram of a failing scenario, small enough for a report.
#pragma once

#include <string>

namespace photonsim::cli {

// Runs the scenario of that file, whose seed it states, and shows its first violation: JSON for
// trace_views/diagram.h. Empty, after printing the reason, if there is nothing to show.
std::string failure_diagram(const std::string& scenario);

}  // namespace photonsim::cli
