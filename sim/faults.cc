#include "sim/faults.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "core_impl/base/time_text.h"

namespace photon::sim {
namespace {

void sort_by_time(std::vector<Fault>& faults) {
  std::ranges::stable_sort(faults, {}, [](const Fault& fault) { return fault.at; });
}

// Expands one spec; the draws of item i are keyed by (spec, i) and a purpose within the item.
class Expansion {
 public:
  Expansion(const RandomFaults& spec, std::uint32_t index, std::uint64_t seed,
            const Topology& topology)
      : spec_(spec), topology_(topology), stream_(seed, Purpose::fault_plan, index) {
    datacenters_ = spec.datacenters;
    if (datacenters_.empty()) {
      for (const DatacenterInfo& place : topology.datacenters()) datacenters_.push_back(place.id);
    }
    if (of_processes(spec.kind)) {
      processes_ = topology.processes_matching(spec.pattern);
    } else if (spec.kind == FaultKind::crash_host) {
      hosts_ = topology.hosts_matching(spec.pattern);
    } else if (spec.kind == FaultKind::lose_disk) {
      add_hosts_with_disks();
    }
  }

  void add_to(std::vector<Fault>& faults) const {
    if (!has_candidates() || spec_.until <= spec_.from) return;
    if (spec_.count > 0) {
      for (std::uint64_t item = 0; item < spec_.count; ++item) {
        const std::uint64_t word = stream_.word(item, kWhen);
        const Duration span = spec_.until - spec_.from - Duration(1);
        faults.push_back(make(item, spec_.from + uniform_duration(word, Duration{0}, span)));
      }
      return;
    }
    PHOTON_CHECK(spec_.mean_between.count() > 0, "random faults have a count or a mean distance");
    SimTime at = spec_.from;
    for (std::uint64_t item = 0;; ++item) {
      at += exponential(stream_.word(item, kWhen), spec_.mean_between) + Duration(1);
      if (at >= spec_.until) return;
      faults.push_back(make(item, at));
    }
  }

 private:
  static bool of_processes(FaultKind kind) {
    return kind == FaultKind::crash_process || kind == FaultKind::pause_process ||
           kind == FaultKind::stop_process;
  }

  enum Draw : std::uint32_t { kWhen = 0, kHowLong = 1, kWhom = 2, kSides = 3 };

  bool has_candidates() const {
    switch (spec_.kind) {
      case FaultKind::crash_process:
      case FaultKind::pause_process:
      case FaultKind::stop_process:
        return !processes_.empty();
      case FaultKind::crash_host:
      case FaultKind::lose_disk:
        return !hosts_.empty();
      case FaultKind::outage:
        return true;
      case FaultKind::partition:
        return topology_.datacenters().size() > 1;
    }
    return false;
  }

  void add_hosts_with_disks() {
    for (const NodeId node : topology_.processes_matching(spec_.pattern)) {
      const HostId host = topology_.process(node).host;
      const auto is_its_disk = [&](const VolumeInfo& volume) {
        return volume.kind == VolumeClass::host_disk && volume.host == host;
      };
      const bool known = std::ranges::find(hosts_, host) != hosts_.end();
      if (!known && std::ranges::any_of(topology_.volumes(), is_its_disk)) hosts_.push_back(host);
    }
  }

  template <class Id>
  const Id& pick(const std::vector<Id>& candidates, std::uint64_t item) const {
    return candidates[uniform_below(stream_.word(item, kWhom), candidates.size())];
  }

  Fault make(std::uint64_t item, SimTime at) const {
    Fault fault;
    fault.at = at;
    fault.kind = spec_.kind;
    fault.duration = uniform_duration(stream_.word(item, kHowLong), spec_.shortest, spec_.longest);
    switch (spec_.kind) {
      case FaultKind::crash_process:
      case FaultKind::pause_process:
      case FaultKind::stop_process:
        fault.processes = {pick(processes_, item)};
        break;
      case FaultKind::crash_host:
      case FaultKind::lose_disk:
        fault.hosts = {pick(hosts_, item)};
        break;
      case FaultKind::outage:
        fault.datacenter = pick(datacenters_, item);
        fault.components = spec_.components;
        break;
      case FaultKind::partition:
        draw_partition(item, fault);
        break;
    }
    return fault;
  }

  void draw_partition(std::uint64_t item, Fault& fault) const {
    const std::vector<DatacenterInfo>& all = topology_.datacenters();
    const DatacenterId chosen = pick(datacenters_, item);
    fault.datacenter = chosen;
    fault.from = {chosen};
    if (spec_.shape == PartitionShape::isolate) return;
    if (spec_.shape == PartitionShape::one_way) {
      const std::uint64_t other = uniform_below(stream_.word(item, kSides), all.size() - 1);
      fault.to = {all[other < chosen.value() ? other : other + 1].id};
      fault.direction = Direction::one_way;
      return;
    }
    // Split: everybody else follows a fair coin; if nobody landed on the other side, the next does.
    for (const DatacenterInfo& place : all) {
      const std::uint64_t coin = mix(stream_.word(item, kSides) + place.id.value());
      if (place.id != chosen && (coin & 1U) != 0) fault.from.push_back(place.id);
    }
    if (fault.from.size() == all.size()) fault.from.pop_back();
  }

  const RandomFaults& spec_;
  const Topology& topology_;
  RandomStream stream_;
  std::vector<DatacenterId> datacenters_;
  std::vector<NodeId> processes_;
  std::vector<HostId> hosts_;
};

std::string component_names(ComponentMask mask) {
  if (mask == kAllComponents) return "all";
  constexpr const char* kNames[kComponents] = {"registry", "pipeline", "cell", "logs", "other"};
  std::string text;
  for (std::uint32_t i = 0; i < kComponents; ++i) {
    if ((mask >> i & 1U) == 0) continue;
    if (!text.empty()) text += '+';
    text += kNames[i];
  }
  return text;
}

std::string datacenter_names(const std::vector<DatacenterId>& ids, const Topology& topology) {
  std::string text;
  for (const DatacenterId id : ids) {
    if (!text.empty()) text += ',';
    text += topology.datacenter(id).name;
  }
  return text.empty() ? "all others" : text;
}

}  // namespace

std::vector<Fault> expand(const std::vector<RandomFaults>& specs, std::uint64_t seed,
                          const Topology& topology) {
  std::vector<Fault> faults;
  for (std::uint32_t i = 0; i < specs.size(); ++i) {
    Expansion(specs[i], i, seed, topology).add_to(faults);
  }
  sort_by_time(faults);
  return faults;
}

std::vector<Fault> merge(std::vector<Fault> fixed, const std::vector<Fault>& random) {
  fixed.insert(fixed.end(), random.begin(), random.end());
  sort_by_time(fixed);
  return fixed;
}

std::string_view name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::crash_process:
      return "crash_process";
    case FaultKind::crash_host:
      return "crash_host";
    case FaultKind::outage:
      return "outage";
    case FaultKind::partition:
      return "partition";
    case FaultKind::lose_disk:
      return "lose_disk";
    case FaultKind::pause_process:
      return "pause_process";
    case FaultKind::stop_process:
      break;
  }
  return "stop_process";
}

std::string describe(const Fault& fault, const Topology& topology) {
  std::string text(name_of(fault.kind));
  switch (fault.kind) {
    case FaultKind::crash_process:
    case FaultKind::pause_process:
    case FaultKind::stop_process:
      if (fault.chosen) text += ' ' + fault.chosen->text;
      for (const NodeId node : fault.processes) text += ' ' + topology.process(node).path;
      break;
    case FaultKind::crash_host:
    case FaultKind::lose_disk:
      for (const HostId host : fault.hosts) text += ' ' + topology.host(host).path;
      break;
    case FaultKind::outage:
      text += ' ' + topology.datacenter(fault.datacenter).name + ' ' +
              component_names(fault.components);
      break;
    case FaultKind::partition:
      text += ' ' + datacenter_names(fault.from, topology) +
              (fault.direction == Direction::both ? " | " : " -> ") +
              datacenter_names(fault.to, topology);
      break;
  }
  text += " at " + in_seconds(fault.at - SimTime{});
  if (fault.duration == kForever) return text + " for good";
  return text + " for " + in_seconds(fault.duration);
}

}  // namespace photon::sim
