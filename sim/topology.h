// The places of a run: process < host < datacenter < region, and volumes.
//
// Built once, before the run; ids are dense from 0 in the order of creation, so every table is a
// vector. A process path is "datacenter/role/number", for example "us-east1/joiner/3"; a host path
// is "datacenter/name". Patterns match paths component by component, `*` matching any one
// component, and a pattern that ends early matches everything below it: "us-east1", "*/joiner",
// "us-east1/joiner/3".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/base/strong_id.h"
#include "sim/ports.h"

namespace photon::sim {

using RegionId = StrongId<struct RegionTag, std::uint16_t>;

// A class of processes or volumes that an outage can take apart from others (SPEC A-25). The
// builder of a topology numbers them from 0 and names them.
using Component = StrongId<struct ComponentTag, std::uint8_t>;
inline constexpr std::size_t kMaxComponents = 32;

// One bit for each.
using ComponentMask = std::uint32_t;
constexpr ComponentMask mask_of(Component component) {
  return ComponentMask{1} << component.value();
}
inline constexpr ComponentMask kAllComponents = ~ComponentMask{0};

struct ProcessInfo {
  NodeId id{};
  HostId host{};
  DatacenterId datacenter{};
  std::string path;
  std::uint32_t role = 0;  // the scenario's own numbering
  Component component{};
};

struct HostInfo {
  HostId id{};
  DatacenterId datacenter{};
  std::string path;  // empty: outside the deployment, in no datacenter
  std::vector<NodeId> processes;
};

struct DatacenterInfo {
  DatacenterId id{};
  RegionId region{};
  std::string name;
  std::vector<HostId> hosts;
  std::vector<NodeId> processes;
  std::vector<VolumeId> volumes;
};

struct RegionInfo {
  RegionId id{};
  std::string name;
  std::vector<DatacenterId> datacenters;
};

struct VolumeInfo {
  VolumeId id{};
  VolumeClass kind = VolumeClass::host_disk;
  DatacenterId datacenter{};
  HostId host{};  // host_disk only
  std::uint64_t capacity_bytes = 0;
  std::optional<Component> component{};  // empty: no outage of components takes it
};

inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

// The disks that replace those lost by a host.
enum class NewDisks : std::uint8_t {
  empty,
  as_deployed,  // with the files provided before the first start, as if it had never run
};

class Topology {
 public:
  // The names of components, in the order of their numbers; before any object that belongs to one.
  explicit Topology(std::vector<std::string> component_names);
  Topology() = default;  // without components

  // Names must be unique among their kind; ids are returned. Errors are failed checks: the
  // scenario layer validates what users write before it comes here.
  RegionId add_region(std::string name);
  DatacenterId add_datacenter(RegionId region, std::string name);
  HostId add_host(DatacenterId datacenter, std::string_view name);
  // Reserves `count` host numbers for machines outside the deployment, which have only a clock: in
  // no datacenter, matched by no pattern. Returns the first of them.
  HostId leave_room_for_hosts(std::uint64_t count);
  // `name` is "role/number"; the path is the datacenter's name and this.
  NodeId add_process(HostId host, std::string_view name, std::uint32_t role, Component component);
  VolumeId add_host_disk(HostId host, std::uint64_t capacity_bytes = kUnlimited);
  VolumeId add_shared_cell(DatacenterId datacenter, Component component,
                           std::uint64_t capacity_bytes = kUnlimited);
  VolumeId add_input_logs(DatacenterId datacenter, Component component);

  const std::vector<std::string>& component_names() const { return component_names_; }
  const std::vector<RegionInfo>& regions() const { return regions_; }
  const std::vector<DatacenterInfo>& datacenters() const { return datacenters_; }
  const std::vector<HostInfo>& hosts() const { return hosts_; }
  const std::vector<ProcessInfo>& processes() const { return processes_; }
  const std::vector<VolumeInfo>& volumes() const { return volumes_; }

  const DatacenterInfo& datacenter(DatacenterId id) const {
    PHOTON_CHECK(id.value() < datacenters_.size(), "the datacenter is one of the topology");
    return datacenters_[id.value()];
  }
  const HostInfo& host(HostId id) const {
    PHOTON_CHECK(id.value() < hosts_.size(), "the host is one of the topology");
    return hosts_[id.value()];
  }
  const ProcessInfo& process(NodeId id) const {
    PHOTON_CHECK(id.value() < processes_.size(), "the process is one of the topology");
    return processes_[id.value()];
  }
  const VolumeInfo& volume(VolumeId id) const {
    PHOTON_CHECK(id.value() < volumes_.size(), "the volume is one of the topology");
    return volumes_[id.value()];
  }

  std::optional<NodeId> find_process(std::string_view path) const;
  std::optional<DatacenterId> find_datacenter(std::string_view name) const;
  // In id order.
  std::vector<NodeId> processes_matching(std::string_view pattern) const;
  std::vector<HostId> hosts_matching(std::string_view pattern) const;

 private:
  VolumeId add_volume(VolumeInfo info);

  void check_known(Component component) const;

  std::vector<std::string> component_names_;
  std::vector<RegionInfo> regions_;
  std::vector<DatacenterInfo> datacenters_;
  std::vector<HostInfo> hosts_;
  std::vector<ProcessInfo> processes_;
  std::vector<VolumeInfo> volumes_;
  std::map<std::string, NodeId, std::less<>> process_by_path_;
  std::map<std::string, DatacenterId, std::less<>> datacenter_by_name_;
};

// True if `path` lies at or below `pattern` (see the head of this file).
bool matches_path(std::string_view pattern, std::string_view path);

}  // namespace photon::sim
