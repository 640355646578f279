// The points of studies: what a run is a run of, whatever its seed.
#pragma once

#include <string>
#include <vector>

#include "analysis/results/study.h"
#include "campaigns/swarm/swarm.h"
#include "scenarios/config/config.h"

namespace photonsim::campaigns {

// The point of a scenario: its text, and each key as a parameter, whether a file, --set or a
// default has set it. `name`: for reports.
photon::analysis::Point point_of(const std::string& name, const scenarios::Config& config);

// The point of the configurations that the swarm generates with these options.
photon::analysis::Point point_of(const scenarios::swarm::Options& options);

// The options of a swarm that are not the default ones: "profile" -> "deep".
std::vector<photon::analysis::Parameter> swarm_parameters(const scenarios::swarm::Options& options);
// The same as words of a command: " --profile deep --tier over".
std::string swarm_words(const scenarios::swarm::Options& options);

}  // namespace photonsim::campaigns
