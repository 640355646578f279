#include "sim/topology.h"

#include <utility>

#include "core_impl/base/check.h"

namespace photon::sim {
namespace {

template <class Id, class Container>
Id next_id(const Container& container) {
  return Id(static_cast<typename Id::representation>(container.size()));
}

std::string_view take_component(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view component = path.substr(0, slash);
  path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
  return component;
}

}  // namespace

bool matches_path(std::string_view pattern, std::string_view path) {
  while (!pattern.empty()) {
    if (path.empty()) return false;
    const std::string_view component = take_component(pattern);
    if (const std::string_view found = take_component(path);
        component != "*" && component != found) {
      return false;
    }
  }
  return true;
}

RegionId Topology::add_region(std::string name) {
  const auto id = next_id<RegionId>(regions_);
  regions_.push_back({id, std::move(name), {}});
  return id;
}

DatacenterId Topology::add_datacenter(RegionId region, std::string name) {
  PHOTON_CHECK(region.value() < regions_.size(), "a datacenter stands in a region");
  const auto id = next_id<DatacenterId>(datacenters_);
  const bool fresh = datacenter_by_name_.emplace(name, id).second;
  PHOTON_CHECK(fresh, "datacenter names are unique");
  datacenters_.push_back({id, region, std::move(name), {}, {}, {}});
  regions_[region.value()].datacenters.push_back(id);
  return id;
}

Topology::Topology(std::vector<std::string> component_names)
    : component_names_(std::move(component_names)) {
  PHOTON_CHECK(component_names_.size() <= kMaxComponents, "a mask has a bit for each component");
}

void Topology::check_known(Component component) const {
  PHOTON_CHECK(component.value() < component_names_.size(), "components are named first");
}

HostId Topology::add_host(DatacenterId datacenter, std::string_view name) {
  PHOTON_CHECK(datacenter.value() < datacenters_.size(), "a host stands in a datacenter");
  const auto id = next_id<HostId>(hosts_);
  DatacenterInfo& place = datacenters_[datacenter.value()];
  hosts_.push_back({id, datacenter, place.name + "/" + std::string(name), {}});
  place.hosts.push_back(id);
  return id;
}

HostId Topology::leave_room_for_hosts(std::uint64_t count) {
  const auto first = next_id<HostId>(hosts_);
  for (std::uint64_t i = 0; i < count; ++i) hosts_.push_back({next_id<HostId>(hosts_), {}, {}, {}});
  return first;
}

NodeId Topology::add_process(HostId host, std::string_view name, std::uint32_t role,
                             Component component) {
  check_known(component);
  PHOTON_CHECK(host.value() < hosts_.size() && !hosts_[host.value()].path.empty(),
               "a process runs on a host of the deployment");
  const auto id = next_id<NodeId>(processes_);
  HostInfo& home = hosts_[host.value()];
  DatacenterInfo& place = datacenters_[home.datacenter.value()];
  std::string path = place.name + "/" + std::string(name);
  const bool fresh = process_by_path_.emplace(path, id).second;
  PHOTON_CHECK(fresh, "process paths are unique");
  processes_.push_back({id, host, home.datacenter, std::move(path), role, component});
  home.processes.push_back(id);
  place.processes.push_back(id);
  return id;
}

VolumeId Topology::add_volume(VolumeInfo info) {
  if (info.component) check_known(*info.component);
  PHOTON_CHECK(info.datacenter.value() < datacenters_.size(), "a volume stands in a datacenter");
  info.id = next_id<VolumeId>(volumes_);
  volumes_.push_back(info);
  datacenters_[info.datacenter.value()].volumes.push_back(info.id);
  return info.id;
}

VolumeId Topology::add_host_disk(HostId host, std::uint64_t capacity_bytes) {
  PHOTON_CHECK(host.value() < hosts_.size(), "a disk stands in a host");
  const DatacenterId datacenter = hosts_[host.value()].datacenter;
  return add_volume({VolumeId{}, VolumeClass::host_disk, datacenter, host, capacity_bytes, {}});
}

VolumeId Topology::add_shared_cell(DatacenterId datacenter, Component component,
                                   std::uint64_t capacity_bytes) {
  return add_volume(
      {VolumeId{}, VolumeClass::shared_cell, datacenter, HostId{}, capacity_bytes, component});
}

VolumeId Topology::add_input_logs(DatacenterId datacenter, Component component) {
  return add_volume(
      {VolumeId{}, VolumeClass::input_logs, datacenter, HostId{}, kUnlimited, component});
}

std::optional<NodeId> Topology::find_process(std::string_view path) const {
  const auto place = process_by_path_.find(path);
  return place == process_by_path_.end() ? std::nullopt : std::optional(place->second);
}

std::optional<DatacenterId> Topology::find_datacenter(std::string_view name) const {
  const auto place = datacenter_by_name_.find(name);
  return place == datacenter_by_name_.end() ? std::nullopt : std::optional(place->second);
}

std::vector<NodeId> Topology::processes_matching(std::string_view pattern) const {
  std::vector<NodeId> found;
  for (const ProcessInfo& process : processes_) {
    if (matches_path(pattern, process.path)) found.push_back(process.id);
  }
  return found;
}

std::vector<HostId> Topology::hosts_matching(std::string_view pattern) const {
  std::vector<HostId> found;
  for (const HostInfo& host : hosts_) {
    if (!host.path.empty() && matches_path(pattern, host.path)) found.push_back(host.id);
  }
  return found;
}

}  // namespace photon::sim
