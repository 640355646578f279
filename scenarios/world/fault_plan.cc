#include "scenarios/world/fault_plan.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/language/config_names.h"
#include "sim/random_faults.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

photon::SimTime at_offset(Duration offset) { return photon::SimTime(offset); }

// The path pattern of a crash target; "*" in place of the datacenter means everywhere.
std::string pattern_of(const RandomFault& fault) {
  const std::string where = fault.datacenter.empty() ? "*" : fault.datacenter;
  switch (fault.target) {
    case FaultTarget::kAny:
      return where;
    case FaultTarget::kJoiner:
      return where + "/joiner";
    case FaultTarget::kDispatcher:
      return where + "/dispatcher";
    case FaultTarget::kRegistry:
      return where + "/registry";
    case FaultTarget::kEventStore:
      return where + "/event_store";
    case FaultTarget::kCache:
      return where + "/cache";
    case FaultTarget::kReader:
      return where + "/reader";
    case FaultTarget::kIncarnations:
      return where + "/incarnations";
    case FaultTarget::kClient:
      return where + "/client";
    case FaultTarget::kVerifier:
      return where + "/verifier";
    case FaultTarget::kAuditor:
      return where + "/auditor";
    case FaultTarget::kMirror:
      return where + "/mirror";
  }
  return where;
}

// One group for each: a single draw decides.
template <class Kind, class Id>
std::vector<std::vector<sim::Action>> each_of(const std::vector<Id>& victims) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const Id victim : victims) candidates.push_back({Kind{victim}});
  return candidates;
}

std::vector<std::vector<sim::Action>> crashes_of(const std::vector<photon::NodeId>& processes) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const photon::NodeId node : processes) {
    candidates.push_back({sim::CrashProcess{{node}, std::nullopt}});
  }
  return candidates;
}

std::vector<sim::HostId> hosts_with_disks(const sim::Topology& topology,
                                          std::string_view pattern) {
  std::vector<sim::HostId> hosts;
  for (const photon::NodeId node : topology.processes_matching(pattern)) {
    const sim::HostId host = topology.process(node).host;
    const auto is_its_disk = [&](const sim::VolumeInfo& volume) {
      return volume.kind == sim::VolumeClass::host_disk && volume.host == host;
    };
    const bool known = std::ranges::find(hosts, host) != hosts.end();
    if (!known && std::ranges::any_of(topology.volumes(), is_its_disk)) hosts.push_back(host);
  }
  return hosts;
}

// It is cut off from all others; one way, from one of them.
std::vector<std::vector<sim::Action>> partitions_of(const RandomFault& fault,
                                                    const sim::Topology& topology) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const sim::DatacenterInfo& place : topology.datacenters()) {
    if (!fault.datacenter.empty() && place.name != fault.datacenter) continue;
    std::vector<sim::Action>& group = candidates.emplace_back();
    if (fault.direction == PartitionDirection::kSymmetric) {
      group.emplace_back(sim::Partition{sim::against_all_others({place.id}, topology)});
      continue;
    }
    for (const sim::DatacenterInfo& other : topology.datacenters()) {
      if (other.id == place.id) continue;
      group.emplace_back(sim::Partition{{{place.id}, {other.id}}, sim::Direction::one_way});
    }
  }
  return candidates;
}

// Uniform between a half and one and a half of the mean.
void set_mean_duration(sim::RandomFaults& spec, Duration mean) {
  spec.shortest = mean / 2;
  spec.longest = mean + mean / 2;
}

// Nothing strikes behind the end of generation.
Duration end_of(const RandomFault& fault, Duration generation) {
  return std::min(fault.until.value_or(generation), generation);
}

sim::RandomFaults random_of(const RandomFault& fault, const sim::Topology& topology,
                            Duration generation) {
  sim::RandomFaults spec;
  spec.from = at_offset(fault.from);
  spec.until = at_offset(end_of(fault, generation));
  spec.mean_between = fault.mean_interval;
  set_mean_duration(spec, fault.restart_after);
  const auto victims = topology.processes_matching(pattern_of(fault));
  switch (fault.kind) {
    case RandomFaultKind::kProcessCrash:
      spec.candidates = crashes_of(victims);
      break;
    case RandomFaultKind::kGracefulRestart:
      spec.candidates = each_of<sim::StopProcess>(victims);
      break;
    case RandomFaultKind::kDiskLoss: {
      const std::string where = fault.datacenter.empty() ? "*" : fault.datacenter;
      spec.candidates = each_of<sim::LoseDisk>(hosts_with_disks(topology, where + "/registry"));
      break;
    }
    case RandomFaultKind::kProcessPause:
      spec.candidates = each_of<sim::PauseProcess>(victims);
      set_mean_duration(spec, fault.mean_duration);
      break;
    case RandomFaultKind::kPartition:
      spec.candidates = partitions_of(fault, topology);
      set_mean_duration(spec, fault.mean_duration);
      break;
  }
  return spec;
}

sim::ComponentMask components_of(OutageComponent component) {
  switch (component) {
    case OutageComponent::kAll:
      break;
    case OutageComponent::kRegistry:
      return sim::mask_of(sim::Component::registry);
    case OutageComponent::kPipeline:
      return sim::mask_of(sim::Component::pipeline);
    case OutageComponent::kCell:
      return sim::mask_of(sim::Component::cell);
    case OutageComponent::kLogs:
      return sim::mask_of(sim::Component::logs);
  }
  return sim::kAllComponents;
}

sim::Fault fault_at(Duration at, Duration duration, sim::Action action) {
  return {at_offset(at), duration, std::move(action), {}};
}

sim::Fault outage_of(const OutageFault& outage, const sim::Topology& topology) {
  return fault_at(outage.at, outage.duration,
                  sim::Outage{datacenter_named(topology, outage.datacenter),
                              components_of(outage.component)});
}

// "DC/joiner/3" as it stands, "registry/2@DC" as "DC/registry/2".
std::string path_of(const std::string& process) {
  const auto at = process.find('@');
  if (at == std::string::npos) return process;
  return process.substr(at + 1) + "/" + process.substr(0, at);
}

photon::NodeId node_named(const sim::Topology& topology, const std::string& process) {
  const auto node = topology.find_process(path_of(process));
  PHOTON_CHECK(node.has_value(), "the scenario was validated, so its processes exist");
  return *node;
}

sim::Fault crash_of(const CrashFault& crash, const sim::Topology& topology) {
  const photon::NodeId node = node_named(topology, crash.process);
  sim::Action action = sim::CrashProcess{{node}, std::nullopt};
  if (crash.gracefully) action = sim::StopProcess{node, std::nullopt};
  if (crash.lose_disk) action = sim::LoseDisk{topology.process(node).host};
  return fault_at(crash.at, crash.restart_after, std::move(action));
}

sim::Fault pause_of(const PauseFault& pause, const sim::Topology& topology) {
  return fault_at(pause.at, pause.duration,
                  sim::PauseProcess{node_named(topology, pause.process)});
}

// Who that is, is known when it strikes (master_watch.h).
sim::Fault kill_of(const Config& config, const KillMasterOperation& kill) {
  const std::optional<std::uint64_t> group = group_number(config, kill.group);
  PHOTON_CHECK(group.has_value(), "the scenario was validated, so its groups exist");
  const sim::Victim master{static_cast<std::uint32_t>(*group), "the master of " + kill.group};
  return fault_at(kill.at, kill.restart_after, sim::CrashProcess{{}, master});
}

std::vector<photon::DatacenterId> members(const std::vector<std::string>& names,
                                          const sim::Topology& topology) {
  std::vector<photon::DatacenterId> result;
  for (const std::string& name : names) {
    if (const auto datacenter = topology.find_datacenter(name)) {
      result.push_back(*datacenter);
      continue;
    }
    for (const sim::RegionInfo& region : topology.regions()) {
      if (region.name != name) continue;
      result.insert(result.end(), region.datacenters.begin(), region.datacenters.end());
    }
  }
  return result;
}

sim::Fault partition_of(const PartitionFault& partition, const sim::Topology& topology) {
  sim::Partition action;
  action.sides = {members(partition.from, topology), members(partition.to, topology)};
  std::ranges::sort(action.sides.back());
  if (partition.direction == PartitionDirection::kOneWay) {
    action.direction = sim::Direction::one_way;
  }
  return fault_at(partition.at, partition.duration, std::move(action));
}

}  // namespace

photon::models::InputFaults excessive_faults(const Config& config, Duration generation) {
  photon::models::InputFaults excessive;
  for (std::size_t i = 0; i < config.faults.random.size(); ++i) {
    const RandomFault& fault = config.faults.random[i];
    const Duration window = end_of(fault, generation) - fault.from;
    if (window / fault.mean_interval <= kMostRandomFaults) continue;
    excessive.push_back({fmt::format("faults.random.{}", i), 0,
                         fmt::format("in the {} s of this trace it means more than {} faults",
                                     generation / std::chrono::seconds(1), kMostRandomFaults),
                         "a larger mean_interval, or an earlier until"});
  }
  return excessive;
}

FaultPlan plan_faults(const Config& config, const Deployment& deployment, Duration generation,
                      std::uint64_t seed) {
  const sim::Topology& topology = deployment.topology;
  std::vector<sim::Fault> fixed;
  for (const auto& each : config.faults.outages) fixed.push_back(outage_of(each, topology));
  for (const auto& each : config.faults.crashes) fixed.push_back(crash_of(each, topology));
  for (const auto& each : config.faults.pauses) fixed.push_back(pause_of(each, topology));
  for (const auto& each : config.faults.partitions) fixed.push_back(partition_of(each, topology));
  for (const auto& each : config.operations.kills) fixed.push_back(kill_of(config, each));
  std::vector<sim::RandomFaults> random;
  for (const auto& each : config.faults.random) {
    random.push_back(random_of(each, topology, generation));
  }
  const std::size_t scripted = fixed.size();
  const std::vector<sim::Fault> drawn = sim::expand(random, seed);
  fixed.insert(fixed.end(), drawn.begin(), drawn.end());
  std::vector<std::size_t> order(fixed.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return fixed[i].at; });
  FaultPlan plan;
  for (const std::size_t i : order) {
    plan.list.push_back(std::move(fixed[i]));
    plan.scripted.push_back(i < scripted);
  }
  return plan;
}

}  // namespace photonsim::scenarios
