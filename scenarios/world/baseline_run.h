// The same configuration and seed once more, without faults: what the faults cost beside it.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/reports/summary.h"
#include "scenarios/world/runner.h"

namespace photonsim::scenarios {

// Sets the baseline of the summary of a run of that configuration (analysis/reports/baseline.h).
// Operations take place in both runs. `trace` and `observer` are those of the run without faults,
// and may be null. Returns why there is no baseline; empty: there is one.
std::string run_baseline(const Config& config, std::uint64_t seed, photon::trace::Sink* trace,
                         RunObserver* observer, photon::analysis::Summary& summary);

}  // namespace photonsim::scenarios
