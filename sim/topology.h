// Where things are: process < host < datacenter < region, and volumes.
//
// Built once, before the run; ids are dense from 0 in the order of creation, so every table is a
// vector. A process path is "datacenter/role/number", for example "us-east1/joiner/3"; a host path
// is "datacenter/name". Patterns match paths component by component, `*` matching any one
// component, and a pattern that ends early matches everything below it: "us-east1", "*/joiner",
// "us-east1/joiner/3".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/strong_id.h"
#include "sim/ports.h"

namespace photon::sim {

using RegionId = StrongId<struct RegionTag, std::uint16_t>;

// The units of component outages (SPEC A-25): the one list in sim/ that names parts of Photon.
// `registry` and `pipeline` are processes, told apart by the world; `cell` and `logs` are volumes.
enum class Component : std::uint8_t { registry = 0, pipeline = 1, cell = 2, logs = 3, other = 4 };
inline constexpr std::uint32_t kComponents = 5;

using ComponentMask = std::uint32_t;
constexpr ComponentMask mask_of(Component component) {
  return ComponentMask{1} << static_cast<std::uint32_t>(component);
}
inline constexpr ComponentMask kAllComponents = (ComponentMask{1} << kComponents) - 1;

struct ProcessInfo {
  NodeId id{};
  HostId host{};
  DatacenterId datacenter{};
  std::string path;
  std::uint32_t role = 0;  // the world's own numbering
  Component component = Component::other;
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
};

inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

// What stands in a host in place of disks that were lost.
enum class NewDisks : std::uint8_t {
  empty,
  as_deployed,  // with what was provided on the first day, as if it had never run
};

class Topology {
 public:
  // Names must be unique among their kind; ids are returned. Errors are failed checks: the
  // scenario layer validates what users write before it comes here.
  RegionId add_region(std::string name);
  DatacenterId add_datacenter(RegionId region, std::string name);
  HostId add_host(DatacenterId datacenter, std::string_view name);
  // Leaves so many host numbers to machines outside the deployment, which have a clock and nothing
  // else: in no datacenter, found by no pattern. The first of them.
  HostId leave_room_for_hosts(std::uint64_t count);
  // `name` is "role/number"; the path is the datacenter's name and this.
  NodeId add_process(HostId host, std::string_view name, std::uint32_t role, Component component);
  VolumeId add_host_disk(HostId host, std::uint64_t capacity_bytes = kUnlimited);
  VolumeId add_shared_cell(DatacenterId datacenter, std::uint64_t capacity_bytes = kUnlimited);
  VolumeId add_input_logs(DatacenterId datacenter);

  const std::vector<RegionInfo>& regions() const { return regions_; }
  const std::vector<DatacenterInfo>& datacenters() const { return datacenters_; }
  const std::vector<HostInfo>& hosts() const { return hosts_; }
  const std::vector<ProcessInfo>& processes() const { return processes_; }
  const std::vector<VolumeInfo>& volumes() const { return volumes_; }

  const DatacenterInfo& datacenter(DatacenterId id) const { return datacenters_[id.value()]; }
  const HostInfo& host(HostId id) const { return hosts_[id.value()]; }
  const ProcessInfo& process(NodeId id) const { return processes_[id.value()]; }
  const VolumeInfo& volume(VolumeId id) const { return volumes_[id.value()]; }

  std::optional<NodeId> find_process(std::string_view path) const;
  std::optional<DatacenterId> find_datacenter(std::string_view name) const;
  // In id order.
  std::vector<NodeId> processes_matching(std::string_view pattern) const;
  std::vector<HostId> hosts_matching(std::string_view pattern) const;

 private:
  VolumeId add_volume(VolumeInfo info);

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
