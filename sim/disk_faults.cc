#include "sim/disk_faults.h"

#include "sim/processes.h"
#include "sim/volumes.h"

namespace photon::sim {
namespace {

std::string name_of(VolumeId volume, const Topology& topology) {
  const VolumeInfo& info = topology.volume(volume);
  if (info.kind == VolumeClass::host_disk) return "the disk of " + topology.host(info.host).path;
  return "the cell of " + topology.datacenter(info.datacenter).name;
}

}  // namespace

std::string DiskFault::text(const Topology& topology) const { return name_of(volume, topology); }

DatacenterId DiskFault::place(const Topology& topology) const {
  return topology.volume(volume).datacenter;
}

void DiskFault::begin(FaultScene& scene) const {
  scene.volumes.volume_faults().add(scene.fault, volume, effect);
}

void DiskFault::end(FaultScene& scene) const {
  scene.volumes.volume_faults().remove(scene.fault);
  scene.volumes.keep_claims(scene.fault, volume);
}

std::string BitRot::text(const Topology& topology) const { return name_of(volume, topology); }

DatacenterId BitRot::place(const Topology& topology) const {
  return topology.volume(volume).datacenter;
}

Readiness BitRot::ready(FaultScene& scene) const {
  return scene.volumes.durable_bytes(volume) > 0 ? Readiness::now : Readiness::later;
}

void BitRot::begin(FaultScene& scene) const { scene.volumes.rot(scene.fault, volume); }

std::string TornWrite::text(const Topology& topology) const { return name_of(volume, topology); }

DatacenterId TornWrite::place(const Topology& topology) const {
  return topology.volume(volume).datacenter;
}

Readiness TornWrite::ready(FaultScene& scene) {
  const NodeId writer = scene.volumes.appending(volume);
  if (writer == kNoNode) return Readiness::later;
  const VolumeInfo& info = scene.topology.volume(volume);
  crashed = {writer};
  if (info.kind == VolumeClass::host_disk) crashed = scene.topology.host(info.host).processes;
  return Readiness::now;
}

void TornWrite::begin(FaultScene& scene) const {
  for (const NodeId node : crashed) scene.volumes.tear(scene.fault, volume, node);
  for (const NodeId node : crashed) scene.processes.hold_down(node, scene.fault);
  const VolumeInfo& info = scene.topology.volume(volume);
  if (info.kind == VolumeClass::host_disk) scene.volumes.host_crashed(info.host);
}

void TornWrite::end(FaultScene& scene) const {
  for (const NodeId node : crashed) scene.processes.let_go(node, scene.fault);
}

}  // namespace photon::sim
