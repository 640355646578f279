// One sentence for each figure that a results file keeps of a run (results/run_metrics.cc).
#pragma once

#include <string>
#include <string_view>

namespace photon::analysis {

// Of a name in the store: "joined", "latency_own.p99", "lost.L-crash"; present tense or a noun with
// what it counts, a full stop at its end. Empty for a name that no run has.
std::string meaning_of_metric(std::string_view name);

// Of what a run counts by name: "mark.NAME", "corner_case.BC-01", "obligation.J-S1",
// "fault_kind.KIND". Empty for another kind, or a name that the program does not have.
std::string meaning_of_count(std::string_view name);

}  // namespace photon::analysis
