// What a small run stands for, in words (SPEC G-00e).
#pragma once

#include <string>

#include "analysis/reports/summary.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// "1 of 90 shards (their totals times 90), days divided by 100 (shares of N carry over, seconds do
// not)"; empty: the run is the deployment.
std::string scale_text(const Config& config);

// All joiners of all pipelines.
std::uint64_t joiners_of(const Config& config);

// Sets `scale` of the summary of a run of this configuration.
void put_scale(const Config& config, photon::analysis::Summary& summary);

}  // namespace photonsim::scenarios
