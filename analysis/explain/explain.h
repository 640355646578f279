// Explains the names in reports (oracles, corner cases, fates of clicks, verdicts,
// coverage marks) to readers
// that know neither SPEC nor the code. `photonsim explain NAME` prints them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace photon::analysis {

// Several lines of at most 100 columns for a terminal, a newline at the end; nothing if the name is
// unknown. Capital letters do not matter, and "BC-05" stands for both of its halves.
std::optional<std::string> explain(std::string_view name);

// All names that it knows, by kind: "J-S1", "BC-01", "L-crash", "too_old", "undecided", a mark, ...
std::vector<std::string> explained_names();

}  // namespace photon::analysis
