// What the oracles must know of a scenario: the promises of its deployment as plain values.
#pragma once

#include "analysis/trace_files/judge_config.h"
#include "scenarios/config/config.h"
#include "scenarios/deployment/deployment.h"

namespace photonsim::scenarios {

photon::analysis::JudgeConfig judge_config(const Config& config, const Deployment& deployment);

}  // namespace photonsim::scenarios
