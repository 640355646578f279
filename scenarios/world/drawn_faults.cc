#include "scenarios/world/drawn_faults.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "scenarios/world/fault_kinds.h"
#include "scenarios/world/scripted_links.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

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

std::vector<sim::HostId> hosts_with_disks(const sim::Topology& topology, std::string_view pattern) {
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

std::vector<std::vector<sim::Action>> late_configurations_of(const RandomFault& fault,
                                                             const sim::Topology& topology) {
  std::vector<std::vector<sim::Action>> candidates;
  for (const sim::DatacenterInfo& place : topology.datacenters()) {
    if (!fault.datacenter.empty() && place.name != fault.datacenter) continue;
    candidates.push_back(
        {late_configuration_for(topology.processes_matching(place.name), place.name, topology)});
  }
  return candidates;
}

// Uniform between a half and one and a half of the mean.
void set_mean_duration(sim::RandomFaults& spec, Duration mean) {
  spec.shortest = mean / 2;
  spec.longest = mean + mean / 2;
}

}  // namespace

Duration end_of(const RandomFault& fault, Duration generation) {
  return std::min(fault.until.value_or(generation), generation);
}

sim::RandomFaults random_of(const RandomFault& fault, const sim::Topology& topology,
                            Duration generation) {
  sim::RandomFaults spec;
  spec.from = photon::SimTime(fault.from);
  spec.until = photon::SimTime(end_of(fault, generation));
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
    case RandomFaultKind::kCacheLoss: {
      const std::string where = fault.datacenter.empty() ? "*" : fault.datacenter;
      spec.candidates = each_of<sim::LoseMemory>(topology.processes_matching(where + "/cache"));
      spec.kind = fault_kinds::kCacheLoss;
      spec.shortest = spec.longest = Duration::zero();
      break;
    }
    case RandomFaultKind::kLateConfiguration:
      spec.candidates = late_configurations_of(fault, topology);
      spec.kind = fault_kinds::kLateConfiguration;
      set_mean_duration(spec, fault.mean_duration);
      break;
    case RandomFaultKind::kPartition:
      spec.candidates = partitions_of(fault, topology);
      set_mean_duration(spec, fault.mean_duration);
      break;
  }
  return spec;
}

}  // namespace photonsim::scenarios
