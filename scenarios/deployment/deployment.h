// The processes and volumes of one Photon deployment, placed on a topology.
//
// Layout (SPEC G-01, G-02): each registry shard has one replica per replica datacenter, each on a
// host of its own with a disk of its own; so has the configuration group, if the number of shards
// can change. Every planned change, and every planned move of a master, has an operator. Each
// pipeline datacenter has a shared cell, a copy of the input logs, one incarnation registry, one
// or more dispatcher workers, joiners, cache nodes, a log store and a reader, each on a host of its
// own. With a registry workload there are no pipelines; their datacenters have clients of the
// registry, with a cell and an incarnation registry. Optional processes, such as verification (an
// auditor and verifiers in each pipeline), are numbered after all others, so that the same run can
// be compared with and without them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/deployment/components.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// Numbers of roles; they appear in trace::ProcessStarted. Append only.
enum class Role : std::uint32_t {
  kRegistry = 0,
  kDispatcher = 1,
  kJoiner = 2,
  kCache = 3,
  kLogStore = 4,
  kReader = 5,
  kIncarnations = 6,
  kSharding = 7,  // the configuration group
  kOperator = 8,
  kRetirement = 9,
  kClient = 10,  // of the registry, with a registry workload
  kMover = 11,   // an operator that moves masters
  kVerifier = 12,
  kAuditor = 13,
  kStateOperator = 14,  // starts dispatchers without state
  kMirror = 15,
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
  std::vector<photon::NodeId> dispatchers{};  // workers
  std::vector<photon::NodeId> joiners{};
  std::vector<photon::NodeId> cache_nodes{};
  photon::NodeId mirror = photon::kNoNode;  // with copies of the output
  // With verification:
  photon::NodeId auditor = photon::kNoNode;
  std::vector<photon::NodeId> verifiers{};
};

// The clients of the registry in one datacenter.
struct ClientSite {
  photon::DatacenterId datacenter{};
  photon::VolumeId cell{};
  photon::NodeId incarnations{};
  std::vector<photon::NodeId> clients{};
};

struct Deployment {
  photon::sim::Topology topology{component::names()};
  // [shard][replica], in order of the scenario; as many shards as there will ever be.
  std::vector<std::vector<RegistryReplica>> shards{};
  std::vector<RegistryReplica> sharding{};     // the configuration group; empty: shards are fixed
  std::optional<photon::NodeId> retirement{};  // the process that retires old numbers
  std::vector<photon::NodeId> operators{};     // of the scenario's [[operations.reshard]]
  std::vector<photon::NodeId> movers{};        // of its [[operations.move_master]]
  std::vector<photon::NodeId> forgetters{};    // of its [[operations.forget_state]]
  std::vector<Pipeline> pipelines{};           // in order of the scenario
  std::vector<ClientSite> client_sites{};      // in their place, with a registry workload
  // Of the servers that generate the input, numbered through: those of queries, those of clicks.
  photon::sim::HostId first_server_host{};

  // Consensus groups: the shards, then the configuration group.
  std::size_t groups() const { return shards.size() + (sharding.empty() ? 0 : 1); }
  const std::vector<RegistryReplica>& group(std::size_t number) const {
    return number < shards.size() ? shards[number] : sharding;
  }
};

// Requires a valid config.
Deployment deploy(const Config& config);

// The datacenter of that name. Requires that it exists.
photon::DatacenterId datacenter_named(const photon::sim::Topology& topology,
                                      const std::string& name);
// The process that a scenario names: "DC/joiner/3", "registry/2@DC". Requires that it exists.
photon::NodeId process_named(const photon::sim::Topology& topology, const std::string& name);

}  // namespace photonsim::scenarios
