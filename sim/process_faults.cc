#include "sim/process_faults.h"

#include "core_impl/base/check.h"
#include "sim/processes.h"
#include "sim/volumes.h"

namespace photon::sim {
namespace {

void let_go(FaultScene& scene, NodeId node) {
  // In a restart loop crashes count, not their durations.
  const bool lengthened = scene.processes.let_go(node, scene.fault);
  if (lengthened && scene.series == 0) scene.took_effect();
}

void let_go_of_host(FaultScene& scene, HostId host) {
  for (const NodeId node : scene.topology.host(host).processes) let_go(scene, node);
}

}  // namespace

std::string CrashProcess::text(const Topology& topology) const {
  std::string text = chosen ? chosen->text : std::string{};
  for (const NodeId node : processes) {
    if (!text.empty()) text += ' ';
    text += topology.process(node).path;
  }
  return text;
}

DatacenterId CrashProcess::place(const Topology& topology) const {
  PHOTON_CHECK(!processes.empty(), "a crash has a victim");
  return topology.process(processes.front()).datacenter;
}

Readiness CrashProcess::ready(FaultScene& scene) {
  if (!chosen) return Readiness::now;
  PHOTON_CHECK(scene.chooser != nullptr, "a chosen victim needs a chooser");
  const std::optional<NodeId> node = scene.chooser->choose(*chosen);
  if (!node) return Readiness::later;
  processes = {*node};
  return Readiness::now;
}

void CrashProcess::begin(FaultScene& scene) const {
  for (const NodeId node : processes) {
    if (scene.processes.hold_down(node, scene.fault)) scene.took_effect();
  }
}

void CrashProcess::end(FaultScene& scene) const {
  for (const NodeId node : processes) let_go(scene, node);
}

std::string PauseProcess::text(const Topology& topology) const {
  return topology.process(process).path;
}

DatacenterId PauseProcess::place(const Topology& topology) const {
  return topology.process(process).datacenter;
}

void PauseProcess::begin(FaultScene& scene) const {
  Process& paused = scene.processes.at(process);
  if (!paused.up()) return;
  paused.pause(scene.duration, scene.fault, least);
}

void PauseProcess::cut_short(FaultScene& scene) const { scene.processes.at(process).resume(); }

std::string StopProcess::text(const Topology& topology) const {
  return topology.process(process).path;
}

DatacenterId StopProcess::place(const Topology& topology) const {
  return topology.process(process).datacenter;
}

Readiness StopProcess::ready(FaultScene& scene) {
  Process& stopped = scene.processes.at(process);
  const bool restarted = asked && stopped.incarnation() != *asked;
  if (!stopped.up() || restarted) return Readiness::obsolete;  // it ended otherwise
  if (!asked) {
    asked = stopped.incarnation();
    stopped.stop();
  }
  return stopped.woken_node()->may_end() ? Readiness::now : Readiness::later;
}

void StopProcess::begin(FaultScene& scene) const {
  scene.processes.end_in_order(process, scene.fault);
  scene.took_effect();
}

void StopProcess::end(FaultScene& scene) const { let_go(scene, process); }

std::string CrashHost::text(const Topology& topology) const { return topology.host(host).path; }

DatacenterId CrashHost::place(const Topology& topology) const {
  return topology.host(host).datacenter;
}

void CrashHost::begin(FaultScene& scene) const {
  for (const NodeId node : scene.topology.host(host).processes) {
    if (scene.processes.hold_down(node, scene.fault)) scene.took_effect();
  }
  scene.volumes.host_crashed(host);
}

void CrashHost::end(FaultScene& scene) const { let_go_of_host(scene, host); }

std::string LoseDisk::text(const Topology& topology) const {
  return topology.host(host).path + (instead == NewDisks::as_deployed ? ", set up as new" : "");
}

DatacenterId LoseDisk::place(const Topology& topology) const {
  return topology.host(host).datacenter;
}

void LoseDisk::begin(FaultScene& scene) const {
  for (const NodeId node : scene.topology.host(host).processes) {
    scene.processes.hold_down(node, scene.fault);
  }
  scene.volumes.host_crashed(host);
  if (scene.volumes.lose_disks(host, instead)) scene.took_effect();
}

void LoseDisk::end(FaultScene& scene) const { let_go_of_host(scene, host); }

std::string LoseMemory::text(const Topology& topology) const {
  return topology.process(process).path;
}

DatacenterId LoseMemory::place(const Topology& topology) const {
  return topology.process(process).datacenter;
}

void LoseMemory::begin(FaultScene& scene) const {
  PHOTON_CHECK(scene.probe != nullptr, "a probe reads what a process keeps");
  Process& emptied = scene.processes.at(process);
  if (!emptied.up()) return;
  if (scene.probe->keeps_in_memory(*emptied.woken_node())) scene.took_effect();
  scene.processes.hold_down(process, scene.fault);
  scene.processes.let_go(process, scene.fault);
}

}  // namespace photon::sim
