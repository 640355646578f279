#include "sim/network_faults.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "sim/network.h"
#include "sim/tap.h"

namespace photon::sim {
namespace {

std::string names_of(const std::vector<DatacenterId>& side, const Topology& topology) {
  std::string text;
  for (const DatacenterId id : side) {
    if (!text.empty()) text += ',';
    text += topology.datacenter(id).name;
  }
  return text;
}

template <class Change>
void for_each_pair(const Partition& partition, Change change) {
  for (std::size_t i = 0; i < partition.sides.size(); ++i) {
    for (std::size_t j = i + 1; j < partition.sides.size(); ++j) {
      for (const DatacenterId to : partition.sides[j]) {
        for (const DatacenterId from : partition.sides[i]) {
          change(from, to);
          if (partition.direction == Direction::both) change(to, from);
        }
      }
    }
    if (partition.direction == Direction::one_way) return;
  }
}

Party at(DatacenterId datacenter) {
  Party about;
  about.datacenter = datacenter;
  return about;
}

}  // namespace

std::string Partition::text(const Topology& topology) const {
  std::string text;
  for (const auto& side : sides) {
    if (!text.empty()) text += direction == Direction::both ? " | " : " -> ";
    text += names_of(side, topology);
  }
  return text;
}

void Partition::begin(FaultScene& scene) const {
  for_each_pair(*this, [&](DatacenterId from, DatacenterId to) {
    scene.network.cut(scene.fault, from, to);
    scene.tap.record(trace::Source::environment, at(from),
                     trace::PartitionBegan{scene.fault, from, to});
  });
}

void Partition::end(FaultScene& scene) const {
  for_each_pair(*this, [&](DatacenterId from, DatacenterId to) {
    scene.network.heal(scene.fault, from, to);
    scene.tap.record(trace::Source::environment, at(from),
                     trace::PartitionHealed{scene.fault, from, to});
  });
}

std::vector<std::vector<DatacenterId>> against_all_others(std::vector<DatacenterId> side,
                                                          const Topology& topology) {
  std::vector<DatacenterId> others;
  for (const DatacenterInfo& place : topology.datacenters()) {
    if (std::ranges::find(side, place.id) == side.end()) others.push_back(place.id);
  }
  return {std::move(side), std::move(others)};
}

DatacenterId LinkFault::place(const Topology& topology) const {
  PHOTON_CHECK(!from.empty(), "a link has senders");
  return topology.process(from.front()).datacenter;
}

void LinkFault::prepare(FaultScene& scene) const {
  if (!effect.reads_versions() && !effect.reads_statements()) return;
  PHOTON_CHECK(scene.probe != nullptr, "a probe reads versions and statements in messages");
  if (effect.reads_versions()) scene.network.watch_versions(*scene.probe);
  if (effect.reads_statements()) scene.network.watch_statements(*scene.probe);
}

void LinkFault::begin(FaultScene& scene) const {
  const SimTime end =
      scene.duration == Duration::max() ? SimTime::max() : scene.kernel.now() + scene.duration;
  scene.network.message_faults().add(scene.fault, from, to, effect, end);
}

void LinkFault::end(FaultScene& scene) const {
  scene.network.message_faults().remove(scene.fault);
  scene.network.release_held(scene.fault);
}

}  // namespace photon::sim
