// What queueing theory says of figures that a run measures: the line beside the simulation.
//
// Means without faults, of a load that does not change. Nothing is predicted where no formula
// holds: above saturation, under a load that ramps or bursts (a dispatcher's scans do), with a
// linger, with several transactions in flight.
#pragma once

#include <string>
#include <vector>

#include "analysis/reports/summary.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// Names are those of the results store ("registry.commit_latency.mean").
std::vector<photon::analysis::PredictedFigure> predicted_figures(const Config& config);

// Sets `predicted` of the summary of a run of this configuration, beside what it measured.
void compare_with_theory(const Config& config, photon::analysis::Summary& summary);

}  // namespace photonsim::scenarios
