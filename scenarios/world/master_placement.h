// Where each shard's master should be: the scenario's placement policy (SPEC B-19, G-09); and which
// replica is the nearest.
#pragma once

#include <vector>

#include "core_impl/paxos/types.h"
#include "scenarios/config/config.h"
#include "scenarios/deployment/deployment.h"

namespace photonsim::scenarios {

// Index of the preferred replica of each shard: the first one that stands for election.
std::vector<photon::paxos::ReplicaIndex> preferred_masters(const Config& config,
                                                           const Deployment& deployment);

// Indices of the replicas by their round trip from a datacenter, the nearest first.
std::vector<photon::paxos::ReplicaIndex> replicas_by_distance(const Config& config,
                                                              const std::string& datacenter);

}  // namespace photonsim::scenarios
