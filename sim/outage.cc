#include "sim/outage.h"

#include "sim/processes.h"
#include "sim/slowness.h"
#include "sim/tap.h"
#include "sim/volumes.h"

namespace photon::sim {
namespace {

std::string component_names(const Outage& outage, const Topology& topology) {
  if (outage.components == kAllComponents) return "all";
  std::string text;
  std::uint8_t component = 0;
  for (const std::string& name : topology.component_names()) {
    if (!outage.hits(Component{component++})) continue;
    if (!text.empty()) text += '+';
    text += name;
  }
  return text;
}

template <class Record>
void record_each(const FaultScene& scene, const Outage& outage) {
  Party about;
  about.datacenter = outage.datacenter;
  const std::size_t components = scene.topology.component_names().size();
  for (std::uint8_t component = 0; component < components; ++component) {
    if (!outage.hits(Component{component})) continue;
    scene.tap.record(trace::Source::environment, about, Record{scene.fault, component});
  }
}

}  // namespace

bool Outage::hits(const VolumeInfo& volume) const {
  return volume.component && hits(*volume.component);
}

std::string Outage::text(const Topology& topology) const {
  return topology.datacenter(datacenter).name + ' ' + component_names(*this, topology);
}

void Outage::begin(FaultScene& scene) const {
  const DatacenterInfo& place = scene.topology.datacenter(datacenter);
  record_each<trace::OutageBegan>(scene, *this);
  for (const VolumeId volume : place.volumes) {
    if (hits(scene.topology.volume(volume))) scene.volumes.begin_outage(scene.fault, volume);
  }
  for (const HostId host : place.hosts) {
    bool killed = false;
    bool all_down = true;
    for (const NodeId node : scene.topology.host(host).processes) {
      if (hits(scene.topology.process(node).component)) {
        killed = scene.processes.hold_down(node, scene.fault) || killed;
      }
      all_down = all_down && !scene.processes.at(node).up();
    }
    if (!killed) continue;
    scene.took_effect();
    if (all_down) scene.volumes.host_crashed(host);
  }
}

void Outage::end(FaultScene& scene) const {
  const DatacenterInfo& place = scene.topology.datacenter(datacenter);
  record_each<trace::OutageEnded>(scene, *this);
  for (const VolumeId volume : place.volumes) {
    if (hits(scene.topology.volume(volume))) scene.volumes.end_outage(scene.fault, volume);
  }
  for (const NodeId node : place.processes) {
    if (!hits(scene.topology.process(node).component)) continue;
    if (scene.processes.let_go(node, scene.fault)) scene.took_effect();
  }
}

std::string SlowDatacenter::text(const Topology& topology) const {
  const std::string hundredths = std::to_string(permille % 1000 / 10);
  return topology.datacenter(datacenter).name + " by " + std::to_string(permille / 1000) +
         (hundredths.size() < 2 ? ".0" : ".") + hundredths;
}

void SlowDatacenter::begin(FaultScene& scene) const {
  scene.slowness.add(scene.fault, datacenter, permille);
}

void SlowDatacenter::end(FaultScene& scene) const { scene.slowness.remove(scene.fault); }

}  // namespace photon::sim
