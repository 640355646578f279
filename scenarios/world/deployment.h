// Who runs where: the processes and volumes of one Photon deployment, laid out on a topology.
//
// Layout (SPEC G-01, G-02): each registry shard has one replica per replica datacenter, each on a
// host of its own with a disk of its own. Each pipeline datacenter has a shared cell, a copy of the
// input logs, one incarnation registry, one dispatcher, joiners, cache nodes, a log store and a
// reader, each on a host of its own.
#pragma once

#include <string>
#include <vector>

#include "scenarios/language/config.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// The world's numbering of roles; appears in trace::ProcessStarted. Append only.
enum class Role : std::uint32_t {
  kRegistry = 0,
  kDispatcher = 1,
  kJoiner = 2,
  kCache = 3,
  kLogStore = 4,
  kReader = 5,
  kIncarnations = 6,
};

struct RegistryReplica {
  photon::NodeId node{};
  photon::VolumeId disk{};
};

struct Pipeline {
  photon::DatacenterId datacenter{};
  photon::VolumeId cell{};
  photon::VolumeId logs{};
  photon::NodeId incarnations{};
  photon::NodeId log_store{};
  photon::NodeId reader{};
  photon::NodeId dispatcher{};
  std::vector<photon::NodeId> joiners{};
  std::vector<photon::NodeId> cache_nodes{};
};

struct Deployment {
  photon::sim::Topology topology{};
  std::vector<std::vector<RegistryReplica>> shards{};  // [shard][replica], in order of the scenario
  std::vector<Pipeline> pipelines{};                   // in order of the scenario
};

// Requires a valid config.
Deployment deploy(const Config& config);

// The datacenter of that name. Requires that it exists.
photon::DatacenterId datacenter_named(const photon::sim::Topology& topology,
                                      const std::string& name);

}  // namespace photonsim::scenarios
