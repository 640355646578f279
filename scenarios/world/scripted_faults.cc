#include "scenarios/world/scripted_faults.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "scenarios/language/config_names.h"
#include "scenarios/language/units.h"
#include "scenarios/world/components.h"
#include "scenarios/world/deployment.h"
#include "scenarios/world/fault_kinds.h"
#include "scenarios/world/scripted_links.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

struct When {
  Duration at{};
  Duration duration{};
};

sim::Fault fault_of(const When& when, sim::Action action, std::string_view kind = {}) {
  return {photon::SimTime(when.at), when.duration, std::move(action), kind};
}

sim::ComponentMask components_of(OutageComponent component) {
  switch (component) {
    case OutageComponent::kAll:
      break;
    case OutageComponent::kRegistry:
      return sim::mask_of(component::kRegistry);
    case OutageComponent::kPipeline:
      return sim::mask_of(component::kPipeline);
    case OutageComponent::kCell:
      return sim::mask_of(component::kCell);
    case OutageComponent::kLogs:
      return sim::mask_of(component::kLogs);
  }
  return sim::kAllComponents;
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

std::string_view kind_of(OutageComponent component, std::size_t places) {
  switch (component) {
    case OutageComponent::kAll:
      break;
    case OutageComponent::kRegistry:
      return fault_kinds::kOutageRegistry;
    case OutageComponent::kPipeline:
      return fault_kinds::kOutagePipeline;
    case OutageComponent::kCell:
      return fault_kinds::kOutageCell;
    case OutageComponent::kLogs:
      return fault_kinds::kOutageLogs;
  }
  return places > 1 ? fault_kinds::kOutageRegion : fault_kinds::kOutageDatacenter;
}

ScriptedFault outage_of(const OutageFault& outage, const sim::Topology& topology) {
  const std::vector<photon::DatacenterId> places = members({outage.datacenter}, topology);
  ScriptedFault faults;
  for (const photon::DatacenterId place : places) {
    faults.push_back(fault_of({outage.at, outage.duration},
                              sim::Outage{place, components_of(outage.component)},
                              kind_of(outage.component, places.size())));
  }
  return faults;
}

sim::Action crash_action(const CrashFault& crash, const sim::Topology& topology) {
  const photon::NodeId node = process_named(topology, crash.process);
  if (crash.gracefully) return sim::StopProcess{node, std::nullopt};
  if (crash.lose_disk) {
    return sim::LoseDisk{topology.process(node).host,
                         crash.as_new ? sim::NewDisks::as_deployed : sim::NewDisks::empty};
  }
  if (crash.whole_host) return sim::CrashHost{topology.process(node).host};
  return sim::CrashProcess{{node}, std::nullopt};
}

ScriptedFault crash_of(const CrashFault& crash, const sim::Topology& topology) {
  ScriptedFault faults;
  const std::string_view kind = crash.times > 1 ? fault_kinds::kRestartLoop
                                : crash.as_new  ? fault_kinds::kResetDisk
                                                : std::string_view{};
  Duration at = crash.at;
  for (std::uint64_t i = 0; i < crash.times; ++i) {
    faults.push_back(fault_of({at, crash.restart_after}, crash_action(crash, topology), kind));
    at += crash.restart_after + crash.up_for;
  }
  return faults;
}

ScriptedFault pause_of(const PauseFault& pause, const sim::Topology& topology) {
  return {fault_of({pause.at, pause.duration},
                   sim::PauseProcess{process_named(topology, pause.process)})};
}

ScriptedFault cache_loss_of(const CacheLossFault& loss, const sim::Topology& topology) {
  return {fault_of({loss.at, Duration::zero()},
                   sim::LoseMemory{process_named(topology, loss.process)},
                   fault_kinds::kCacheLoss)};
}

// Who that is, is known when it strikes (master_watch.h).
ScriptedFault kill_of(const Config& config, const KillMasterOperation& kill) {
  const std::optional<std::uint64_t> group = group_number(config, kill.group);
  PHOTON_CHECK(group.has_value(), "the scenario was validated, so its groups exist");
  const sim::Victim master{static_cast<std::uint32_t>(*group), "the master of " + kill.group};
  return {fault_of({kill.at, kill.restart_after}, sim::CrashProcess{{}, master})};
}

ScriptedFault partition_of(const PartitionFault& partition, const sim::Topology& topology) {
  sim::Partition action;
  std::string_view kind;
  switch (partition.direction) {
    case PartitionDirection::kSymmetric:
      action.sides = {members(partition.from, topology), members(partition.to, topology)};
      break;
    case PartitionDirection::kOneWay:
      action.sides = {members(partition.from, topology), members(partition.to, topology)};
      action.direction = sim::Direction::one_way;
      kind = fault_kinds::kOneWayPartition;
      break;
    case PartitionDirection::kApart:
      for (const std::string& side : partition.from) {
        action.sides.push_back(members({side}, topology));
      }
      kind = fault_kinds::kKWayPartition;
      break;
  }
  std::ranges::sort(action.sides.back());
  return {fault_of({partition.at, partition.duration}, std::move(action), kind)};
}

ScriptedFault slow_of(const SlowFault& slow, const sim::Topology& topology) {
  const auto permille = static_cast<std::uint64_t>(slow.factor * 1000);
  return {fault_of({slow.at, slow.duration},
                   sim::SlowDatacenter{datacenter_named(topology, slow.datacenter), permille})};
}

// The disk of a process's host, or the cell of a datacenter.
photon::VolumeId volume_named(const sim::Topology& topology, const std::string& where) {
  const auto datacenter = topology.find_datacenter(where);
  for (const sim::VolumeInfo& volume : topology.volumes()) {
    const bool meant =
        datacenter
            ? volume.kind == sim::VolumeClass::shared_cell && volume.datacenter == *datacenter
            : volume.kind == sim::VolumeClass::host_disk &&
                  volume.host == topology.process(process_named(topology, where)).host;
    if (meant) return volume.id;
  }
  PHOTON_CHECK(false, "the scenario was validated, so there is such a disk or cell");
  return {};
}

ScriptedFault disk_of(const DiskFault& disk, const sim::Topology& topology) {
  using Kind = sim::VolumeFault::Kind;
  const photon::VolumeId volume = volume_named(topology, disk.where);
  const When when{disk.at, disk.duration};
  const auto disk_fault = [&](Kind kind, std::string_view name) {
    const auto permille = static_cast<std::uint64_t>(disk.factor * 1000);
    return ScriptedFault{
        fault_of(when, sim::DiskFault{volume, {kind, photon::Chance(disk.share), permille}}, name)};
  };
  switch (disk.kind) {
    case DiskFaultKind::kWriteError:
      return disk_fault(Kind::write_error, fault_kinds::kWriteError);
    case DiskFaultKind::kFull:
      return disk_fault(Kind::full, fault_kinds::kDiskFull);
    case DiskFaultKind::kSlow:
      return disk_fault(Kind::slow, fault_kinds::kSlowDisk);
    case DiskFaultKind::kLostSync:
      return disk_fault(Kind::lost_sync, fault_kinds::kLostSync);
    case DiskFaultKind::kMisdirectedWrite:
      return disk_fault(Kind::misdirected_write, fault_kinds::kMisdirectedWrite);
    case DiskFaultKind::kTornWrite:
      return {fault_of(when, sim::TornWrite{volume, {}})};
    case DiskFaultKind::kBitRot:
      break;
  }
  return {fault_of({disk.at, sim::kForever}, sim::BitRot{volume})};
}

}  // namespace

std::vector<ScriptedFault> scripted_faults(const Config& config, const sim::Topology& topology,
                                           std::uint64_t seed) {
  const Faults& faults = config.faults;
  std::vector<ScriptedFault> all;
  for (const auto& each : faults.outages) all.push_back(outage_of(each, topology));
  for (const auto& each : faults.crashes) all.push_back(crash_of(each, topology));
  for (const auto& each : faults.pauses) all.push_back(pause_of(each, topology));
  for (const auto& each : faults.cache_losses) all.push_back(cache_loss_of(each, topology));
  for (const auto& each : faults.partitions) all.push_back(partition_of(each, topology));
  for (const auto& each : faults.slow) all.push_back(slow_of(each, topology));
  for (const auto& each : faults.disks) all.push_back(disk_of(each, topology));
  for (const auto& each : config.operations.kills) all.push_back(kill_of(config, each));
  for (std::uint32_t i = 0; i < faults.links.size(); ++i) {
    all.push_back(link_faults(config, faults.links[i], topology, swizzle_stream(seed, i)));
  }
  for (const auto& each : faults.late_configurations) {
    all.push_back({late_configuration(config, each, topology)});
  }
  return all;
}

}  // namespace photonsim::scenarios
