// Gives every process slot of a deployment the factory of its Node, configured by the scenario.
#pragma once

#include "core_impl/photon/joiner/adapter.h"
#include "scenarios/language/config.h"
#include "scenarios/world/deployment.h"
#include "sim/simulation.h"

namespace photonsim::scenarios {

// `adapter` must outlive the simulation; it serves all joiners.
void install_processes(const Config& config, const Deployment& deployment,
                       const photon::Adapter& adapter, photon::sim::Simulation& simulation);

}  // namespace photonsim::scenarios
