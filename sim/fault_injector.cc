#include "sim/fault_injector.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "sim/network.h"
#include "sim/processes.h"
#include "sim/volumes.h"

namespace photon::sim {
namespace {

// While nobody plays the victim's part, the chooser is asked again.
constexpr Duration kChoicePause = std::chrono::milliseconds(10);
// How often a process that was asked to stop is asked whether it may be ended.
constexpr Duration kStopPause = std::chrono::milliseconds(10);

bool contains(const std::vector<DatacenterId>& set, DatacenterId id) {
  return std::ranges::find(set, id) != set.end();
}

bool hit_by_outage(const VolumeInfo& volume, ComponentMask components) {
  switch (volume.kind) {
    case VolumeClass::shared_cell:
      return (components & mask_of(Component::cell)) != 0;
    case VolumeClass::input_logs:
      return (components & mask_of(Component::logs)) != 0;
    case VolumeClass::host_disk:
      return false;  // its processes are down
  }
  return false;
}

}  // namespace

FaultInjector::FaultInjector(Kernel& kernel, const Topology& topology, Tap& tap,
                             Processes& processes)
    : kernel_(kernel),
      topology_(topology),
      tap_(tap),
      processes_(processes),
      self_(kernel.add(*this)) {}

void FaultInjector::connect(Network& network, Volumes& volumes) {
  network_ = &network;
  volumes_ = &volumes;
}

void FaultInjector::set_faults(std::vector<Fault> faults) {
  faults_ = std::move(faults);
  state_.assign(faults_.size(), State::waiting);
  effective_.assign(faults_.size(), 0);
  asked_.assign(faults_.size(), Incarnation{});
}

void FaultInjector::start() {
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    kernel_.schedule(faults_[i].at, kernel_.environment(), self_, make_tag(EventKind::fault_begin),
                     i);
  }
}

void FaultInjector::on_event(Kernel& kernel, const Event& event) {
  const auto index = static_cast<std::uint32_t>(event.payload);
  kernel.witness(kernel.environment(), 0, index);
  if (kind_of(event.tag) == EventKind::fault_begin) {
    if (state_[index] == State::waiting) begin(index);
  } else if (state_[index] == State::active) {
    end(index);
  }
}

void FaultInjector::heal_all() {
  healed_ = true;
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    if (state_[i] == State::active) {
      cut_short(i);
      end(i);
    }
    // Whoever was asked to stop takes on nothing new: it still has to come to its end.
    const bool stopping = state_[i] == State::waiting && asked_[i] != Incarnation{};
    if (!stopping) state_[i] = State::over;
  }
}

void FaultInjector::cut_short(std::uint32_t index) {
  if (faults_[index].kind != FaultKind::pause_process) return;
  for (const NodeId node : faults_[index].processes) processes_.at(node).resume();
}

DatacenterId FaultInjector::place_of(const Fault& fault) const {
  switch (fault.kind) {
    case FaultKind::crash_process:
    case FaultKind::pause_process:
    case FaultKind::stop_process:
      return topology_.process(fault.processes.front()).datacenter;
    case FaultKind::crash_host:
    case FaultKind::lose_disk:
      return topology_.host(fault.hosts.front()).datacenter;
    case FaultKind::outage:
      break;
    case FaultKind::partition:
      return fault.from.front();
  }
  return fault.datacenter;
}

void FaultInjector::took_effect(std::uint32_t fault) {
  if (fault == kNoFault || effective_[fault] != 0) return;
  effective_[fault] = 1;
  Party about;
  about.datacenter = place_of(faults_[fault]);
  tap_.record(trace::Source::environment, about, trace::FaultEffect{fault});
}

// False if there is none yet.
bool FaultInjector::choose_victim(std::uint32_t index) {
  Fault& fault = faults_[index];
  if (!fault.chosen) return true;
  PHOTON_CHECK(chooser_ != nullptr, "a chosen victim needs a chooser");
  const std::optional<NodeId> node = chooser_->choose(*fault.chosen);
  if (node) {
    fault.processes = {*node};
  } else {
    kernel_.schedule(kernel_.now() + kChoicePause, kernel_.environment(), self_,
                     make_tag(EventKind::fault_begin), index);
  }
  return node.has_value();
}

// False while the process has not come to its end, or if it was spared.
bool FaultInjector::has_stopped(std::uint32_t index) {
  const Fault& fault = faults_[index];
  if (fault.kind != FaultKind::stop_process) return true;
  PHOTON_CHECK(fault.processes.size() == 1, "one process is asked to stop");
  Process& process = processes_.at(fault.processes.front());
  const bool asked = asked_[index] != Incarnation{};
  if (!process.up() || (asked && process.incarnation() != asked_[index])) {
    state_[index] = State::over;  // something else ended it
    return false;
  }
  if (!asked) {
    asked_[index] = process.incarnation();
    process.stop();
  }
  if (process.node()->may_end()) return true;
  kernel_.schedule(kernel_.now() + kStopPause, kernel_.environment(), self_,
                   make_tag(EventKind::fault_begin), index);
  return false;
}

void FaultInjector::begin(std::uint32_t index) {
  if (!choose_victim(index) || !has_stopped(index)) return;
  const Fault& fault = faults_[index];
  state_[index] = State::active;
  switch (fault.kind) {
    case FaultKind::crash_process:
      for (const NodeId node : fault.processes) {
        if (processes_.hold_down(node, index)) took_effect(index);
      }
      break;
    case FaultKind::pause_process:
      for (const NodeId node : fault.processes) {
        if (!processes_.at(node).up()) continue;
        processes_.at(node).pause(fault.duration);
        took_effect(index);
      }
      break;
    case FaultKind::stop_process:
      processes_.end_in_order(fault.processes.front(), index);
      took_effect(index);
      break;
    case FaultKind::crash_host:
      for (const HostId host : fault.hosts) {
        for (const NodeId node : topology_.host(host).processes) {
          if (processes_.hold_down(node, index)) took_effect(index);
        }
        volumes_->host_crashed(host);
      }
      break;
    case FaultKind::lose_disk:
      for (const HostId host : fault.hosts) {
        for (const NodeId node : topology_.host(host).processes) processes_.hold_down(node, index);
        volumes_->host_crashed(host);
        if (volumes_->lose_disks(host)) took_effect(index);
      }
      break;
    case FaultKind::outage:
      begin_outage(index, fault);
      break;
    case FaultKind::partition:
      partition(index, fault, Change::began);
      break;
  }
  if (healed_) return end(index);
  if (fault.duration != kForever) {
    kernel_.schedule(kernel_.now() + fault.duration, kernel_.environment(), self_,
                     make_tag(EventKind::fault_end), index);
  }
}

void FaultInjector::end(std::uint32_t index) {
  const Fault& fault = faults_[index];
  state_[index] = State::over;
  switch (fault.kind) {
    case FaultKind::crash_process:
    case FaultKind::stop_process:
      for (const NodeId node : fault.processes) let_go(index, node);
      break;
    case FaultKind::pause_process:
      break;
    case FaultKind::crash_host:
    case FaultKind::lose_disk:
      for (const HostId host : fault.hosts) {
        for (const NodeId node : topology_.host(host).processes) let_go(index, node);
      }
      break;
    case FaultKind::outage:
      end_outage(index, fault);
      break;
    case FaultKind::partition:
      partition(index, fault, Change::healed);
      break;
  }
}

void FaultInjector::let_go(std::uint32_t index, NodeId node) {
  if (processes_.let_go(node, index)) took_effect(index);
}

template <class Record>
void FaultInjector::record_outage(std::uint32_t index, const Fault& fault) {
  Party about;
  about.datacenter = fault.datacenter;
  for (std::uint32_t component = 0; component < kComponents; ++component) {
    if (!fault.hits(Component{static_cast<std::uint8_t>(component)})) continue;
    tap_.record(trace::Source::environment, about, Record{index, component});
  }
}

void FaultInjector::begin_outage(std::uint32_t index, const Fault& fault) {
  const DatacenterInfo& place = topology_.datacenter(fault.datacenter);
  record_outage<trace::OutageBegan>(index, fault);
  for (const VolumeId volume : place.volumes) {
    if (hit_by_outage(topology_.volume(volume), fault.components)) {
      volumes_->begin_outage(index, volume);
    }
  }
  for (const HostId host : place.hosts) {
    bool killed = false;
    bool all_down = true;
    for (const NodeId node : topology_.host(host).processes) {
      if (fault.hits(topology_.process(node).component)) {
        killed = processes_.hold_down(node, index) || killed;
      }
      all_down = all_down && !processes_.at(node).up();
    }
    if (!killed) continue;
    took_effect(index);
    if (all_down) volumes_->host_crashed(host);
  }
}

void FaultInjector::end_outage(std::uint32_t index, const Fault& fault) {
  const DatacenterInfo& place = topology_.datacenter(fault.datacenter);
  record_outage<trace::OutageEnded>(index, fault);
  for (const VolumeId volume : place.volumes) {
    if (hit_by_outage(topology_.volume(volume), fault.components)) {
      volumes_->end_outage(index, volume);
    }
  }
  for (const NodeId node : place.processes) {
    if (fault.hits(topology_.process(node).component)) let_go(index, node);
  }
}

void FaultInjector::partition(std::uint32_t index, const Fault& fault, Change change) {
  for (const DatacenterInfo& place : topology_.datacenters()) {
    const bool other_side =
        fault.to.empty() ? !contains(fault.from, place.id) : contains(fault.to, place.id);
    if (!other_side) continue;
    for (const DatacenterId from : fault.from) {
      cut(index, from, place.id, change);
      if (fault.direction == Direction::both) cut(index, place.id, from, change);
    }
  }
}

void FaultInjector::cut(std::uint32_t index, DatacenterId from, DatacenterId to, Change change) {
  Party about;
  about.datacenter = from;
  if (change == Change::began) {
    network_->cut(index, from, to);
    tap_.record(trace::Source::environment, about, trace::PartitionBegan{index, from, to});
  } else {
    network_->heal(index, from, to);
    tap_.record(trace::Source::environment, about, trace::PartitionHealed{index, from, to});
  }
}

}  // namespace photon::sim
