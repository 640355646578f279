#include "scenarios/deployment/deployment.h"

#include <map>

#include "core_impl/base/check.h"
#include "scenarios/config/config_names.h"

namespace photonsim::scenarios {
namespace {

using photon::sim::Component;

class Layout {
 public:
  explicit Layout(const Config& config) : config_(config) {}

  Deployment build() {
    add_datacenters();
    add_registry();
    if (config_.registry.sharding == Sharding::kDynamic) add_sharding();
    for (const std::string& name : config_.topology.pipelines) {
      config_.registry_only() ? add_clients(name) : add_pipeline(name);
    }
    const auto at = datacenter_named(result_.topology, config_.topology.pipelines.front());
    result_.movers = add_many(at, "mover", config_.operations.moves.size(), Role::kMover);
    for (const ForgetStateOperation& each : config_.operations.forgets) {
      result_.forgetters.push_back(add_process(datacenter_named(result_.topology, each.datacenter),
                                               "state_operator", result_.forgetters.size(),
                                               Role::kStateOperator));
    }
    result_.first_server_host = result_.topology.leave_room_for_hosts(
        config_.registry_only()
            ? 0
            : servers_of(config_, LogKind::kQueries) + servers_of(config_, LogKind::kClicks));
    if (config_.verification.enabled) add_verification();
    if (config_.joiner.output_copies) add_mirrors();
    return std::move(result_);
  }

 private:
  // Numbered after all others, which so keep their numbers and random streams without them.
  void add_verification() {
    for (Pipeline& pipeline : result_.pipelines) {
      pipeline.auditor = add_process(pipeline.datacenter, "auditor", 0, Role::kAuditor);
      pipeline.verifiers = add_many(pipeline.datacenter, "verifier", config_.verification.verifiers,
                                    Role::kVerifier);
    }
  }

  void add_mirrors() {
    for (Pipeline& pipeline : result_.pipelines) {
      pipeline.mirror = add_process(pipeline.datacenter, "mirror", 0, Role::kMirror);
    }
  }

  void add_datacenters() {
    std::map<std::string, photon::sim::RegionId> regions;
    for (const Datacenter& each : config_.topology.datacenters) {
      if (!regions.contains(each.region)) {
        regions[each.region] = result_.topology.add_region(each.region);
      }
      result_.topology.add_datacenter(regions[each.region], each.name);
    }
  }

  photon::NodeId add_process(photon::DatacenterId datacenter, const char* role,
                             std::uint64_t number, Role numbering) {
    const std::string name = role + std::string("/") + std::to_string(number);
    const auto host = result_.topology.add_host(
        datacenter, "host-" + std::string(role) + "-" + std::to_string(number));
    return result_.topology.add_process(host, name, static_cast<std::uint32_t>(numbering),
                                        component_of(numbering));
  }

  static Component component_of(Role role) {
    switch (role) {
      case Role::kRegistry:
      case Role::kSharding:
        return component::kRegistry;
      case Role::kOperator:
      case Role::kRetirement:
      case Role::kMover:
      case Role::kStateOperator:
        return component::kOther;
      default:
        return component::kPipeline;
    }
  }

  // One replica in each replica datacenter.
  std::vector<RegistryReplica> add_group(const char* role, std::uint64_t number, Role numbering) {
    std::vector<RegistryReplica> replicas;
    for (const std::string& name : config_.registry.replicas) {
      const auto datacenter = datacenter_named(result_.topology, name);
      const auto node = add_process(datacenter, role, number, numbering);
      const auto host = result_.topology.process(node).host;
      replicas.push_back({node, result_.topology.add_host_disk(host)});
    }
    return replicas;
  }

  void add_registry() {
    for (std::uint64_t shard = 0; shard < most_shards(config_); ++shard) {
      result_.shards.push_back(add_group("registry", shard, Role::kRegistry));
    }
  }

  // Operators and retirement sit beside the first pipeline.
  void add_sharding() {
    result_.sharding = add_group("sharding", 0, Role::kSharding);
    const auto at = datacenter_named(result_.topology, config_.topology.pipelines.front());
    result_.retirement = add_process(at, "retirement", 0, Role::kRetirement);
    for (std::uint64_t i = 0; i < config_.operations.reshards.size(); ++i) {
      result_.operators.push_back(add_process(at, "operator", i, Role::kOperator));
    }
  }

  std::vector<photon::NodeId> add_many(photon::DatacenterId datacenter, const char* role,
                                       std::uint64_t count, Role numbering) {
    std::vector<photon::NodeId> nodes;
    for (std::uint64_t i = 0; i < count; ++i) {
      nodes.push_back(add_process(datacenter, role, i, numbering));
    }
    return nodes;
  }

  void add_pipeline(const std::string& name) {
    Pipeline pipeline;
    pipeline.datacenter = datacenter_named(result_.topology, name);
    pipeline.cell = result_.topology.add_shared_cell(pipeline.datacenter, component::kCell);
    pipeline.logs = result_.topology.add_input_logs(pipeline.datacenter, component::kLogs);
    const auto at = pipeline.datacenter;
    pipeline.incarnations = add_process(at, "incarnations", 0, Role::kIncarnations);
    pipeline.log_store = add_process(at, "event_store", 0, Role::kLogStore);
    pipeline.reader = add_process(at, "reader", 0, Role::kReader);
    pipeline.cache_nodes = add_many(at, "cache", config_.event_store.cache_nodes, Role::kCache);
    pipeline.joiners = add_many(at, "joiner", config_.joiner.count, Role::kJoiner);
    pipeline.dispatchers =
        add_many(at, "dispatcher", config_.dispatcher.workers, Role::kDispatcher);
    result_.pipelines.push_back(std::move(pipeline));
  }

  void add_clients(const std::string& name) {
    ClientSite site;
    site.datacenter = datacenter_named(result_.topology, name);
    site.cell = result_.topology.add_shared_cell(site.datacenter, component::kCell);
    site.incarnations = add_process(site.datacenter, "incarnations", 0, Role::kIncarnations);
    site.clients =
        add_many(site.datacenter, "client", config_.workload.registry.clients, Role::kClient);
    result_.client_sites.push_back(std::move(site));
  }

  const Config& config_;
  Deployment result_;
};

}  // namespace

Deployment deploy(const Config& config) { return Layout(config).build(); }

photon::DatacenterId datacenter_named(const photon::sim::Topology& topology,
                                      const std::string& name) {
  const auto found = topology.find_datacenter(name);
  PHOTON_CHECK(found.has_value(), "the scenario was validated, so its datacenters exist");
  return *found;
}

// "DC/joiner/3" as it stands, "registry/2@DC" as "DC/registry/2".
photon::NodeId process_named(const photon::sim::Topology& topology, const std::string& name) {
  const auto at = name.find('@');
  const auto node = topology.find_process(
      at == std::string::npos ? name : name.substr(at + 1) + "/" + name.substr(0, at));
  PHOTON_CHECK(node.has_value(), "the scenario was validated, so its processes exist");
  return *node;
}

}  // namespace photonsim::scenarios
