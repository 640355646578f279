#include "scenarios/world/places.h"

#include <string>

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

std::string name_of_volume(const sim::Topology& topology, const sim::VolumeInfo& volume) {
  switch (volume.kind) {
    case sim::VolumeClass::host_disk:
      return topology.host(volume.host).path + " disk";
    case sim::VolumeClass::shared_cell:
      return topology.datacenter(volume.datacenter).name + "/cell";
    case sim::VolumeClass::input_logs:
      break;
  }
  return topology.datacenter(volume.datacenter).name + "/logs";
}

}  // namespace

photon::analysis::TracePlaces places(const sim::Topology& topology) {
  photon::analysis::TracePlaces places;
  for (const auto& each : topology.datacenters()) places.datacenters.push_back(each.name);
  for (const auto& each : topology.processes()) places.processes.push_back(each.path);
  for (const auto& each : topology.volumes()) {
    places.volumes.push_back(name_of_volume(topology, each));
  }
  return places;
}

}  // namespace photonsim::scenarios
