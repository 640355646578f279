// Gives every process slot of a deployment the factory of its Node, configured by the scenario.
#pragma once

#include "core_impl/photon/joiner/adapter.h"
#include "models/registry_workload.h"
#include "scenarios/config/config.h"
#include "scenarios/deployment/deployment.h"
#include "sim/simulation.h"

namespace photonsim::scenarios {

// What processes share. It must outlive the simulation.
struct SharedByProcesses {
  const photon::Adapter& adapter;                // serves all joiners
  const photon::models::RegistryWorkload* load;  // of the clients, if there are any
};

void install_processes(const Config& config, const Deployment& deployment,
                       const SharedByProcesses& shared, photon::sim::Simulation& simulation);

}  // namespace photonsim::scenarios
