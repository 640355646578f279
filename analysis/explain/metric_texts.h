// One sentence for each figure that a results file keeps of a run (results/run_metrics.cc).
#pragma once

#include <string>
#include <string_view>

namespace photon::analysis {

// Of a name in the store: "joined", "latency_own.p99", "lost.L-crash"; present tense or a noun with
// what it counts, a full stop at its end. Empty for a name that no run has.
std::string meaning_of_metric(std::string_view name);

}  // namespace photon::analysis
