#include "scenarios/world/fault_plan.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/language/config_names.h"

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
  const bool gracefully = fault.kind == RandomFaultKind::kGracefulRestart;
  if (gracefully || fault.kind == RandomFaultKind::kProcessCrash) {
    spec.kind = gracefully ? sim::FaultKind::stop_process : sim::FaultKind::crash_process;
    spec.pattern = pattern_of(fault);
    set_mean_duration(spec, fault.restart_after);
  } else if (fault.kind == RandomFaultKind::kDiskLoss) {
    spec.kind = sim::FaultKind::lose_disk;
    spec.pattern = (fault.datacenter.empty() ? "*" : fault.datacenter) + "/registry";
    set_mean_duration(spec, fault.restart_after);
  } else if (fault.kind == RandomFaultKind::kProcessPause) {
    spec.kind = sim::FaultKind::pause_process;
    spec.pattern = pattern_of(fault);
    set_mean_duration(spec, fault.mean_duration);
  } else {
    spec.kind = sim::FaultKind::partition;
    spec.shape = fault.direction == PartitionDirection::kOneWay ? sim::PartitionShape::one_way
                                                                : sim::PartitionShape::isolate;
    if (!fault.datacenter.empty()) {
      spec.datacenters = {datacenter_named(topology, fault.datacenter)};
    }
    set_mean_duration(spec, fault.mean_duration);
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

sim::Fault outage_of(const OutageFault& outage, const sim::Topology& topology) {
  sim::Fault fault;
  fault.kind = sim::FaultKind::outage;
  fault.at = at_offset(outage.at);
  fault.duration = outage.duration;
  fault.datacenter = datacenter_named(topology, outage.datacenter);
  fault.components = components_of(outage.component);
  return fault;
}

// "DC/joiner/3" as it stands, "registry/2@DC" as "DC/registry/2".
std::string path_of(const std::string& process) {
  const auto at = process.find('@');
  if (at == std::string::npos) return process;
  return process.substr(at + 1) + "/" + process.substr(0, at);
}

sim::Fault crash_of(const CrashFault& crash, const sim::Topology& topology) {
  sim::Fault fault;
  fault.kind = crash.gracefully ? sim::FaultKind::stop_process : sim::FaultKind::crash_process;
  fault.at = at_offset(crash.at);
  fault.duration = crash.restart_after;
  const auto node = topology.find_process(path_of(crash.process));
  PHOTON_CHECK(node.has_value(), "the scenario was validated, so its processes exist");
  if (crash.lose_disk) {
    fault.kind = sim::FaultKind::lose_disk;
    fault.hosts = {topology.process(*node).host};
  } else {
    fault.processes = {*node};
  }
  return fault;
}

sim::Fault pause_of(const PauseFault& pause, const sim::Topology& topology) {
  sim::Fault fault;
  fault.kind = sim::FaultKind::pause_process;
  fault.at = at_offset(pause.at);
  fault.duration = pause.duration;
  const auto node = topology.find_process(path_of(pause.process));
  PHOTON_CHECK(node.has_value(), "the scenario was validated, so its processes exist");
  fault.processes = {*node};
  return fault;
}

// Who that is, is known when it strikes (master_watch.h).
sim::Fault kill_of(const Config& config, const KillMasterOperation& kill) {
  sim::Fault fault;
  fault.kind = sim::FaultKind::crash_process;
  fault.at = at_offset(kill.at);
  fault.duration = kill.restart_after;
  const std::optional<std::uint64_t> group = group_number(config, kill.group);
  PHOTON_CHECK(group.has_value(), "the scenario was validated, so its groups exist");
  fault.chosen = sim::Victim{static_cast<std::uint32_t>(*group), "the master of " + kill.group};
  return fault;
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
  sim::Fault fault;
  fault.kind = sim::FaultKind::partition;
  fault.at = at_offset(partition.at);
  fault.duration = partition.duration;
  fault.direction = partition.direction == PartitionDirection::kOneWay ? sim::Direction::one_way
                                                                       : sim::Direction::both;
  fault.from = members(partition.from, topology);
  fault.to = members(partition.to, topology);
  return fault;
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
  FaultPlan plan;
  plan.list = sim::merge(fixed, sim::expand(random, seed, topology));
  for (const sim::Fault& each : plan.list) {
    plan.scripted.push_back(std::ranges::find(fixed, each) != fixed.end());
  }
  return plan;
}

}  // namespace photonsim::scenarios
