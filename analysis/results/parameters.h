// The parameters of a point: every key of its scenario with its value, whether a file, --set or a
// default has set it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace photon::analysis {

// By name, ascending; no name twice. `text` is a resolved scenario as the program prints it, a key
// a line ("workload.registry.rate" -> "5/s"; the number of a repeated table follows its name,
// "faults.outage[0].at"), or the options of a swarm (" --tier over" -> "tier", "over"). The seed
// and keys for reports alone are left out.
std::vector<std::pair<std::string, std::string>> parameters_of(std::string_view text);

}  // namespace photon::analysis
