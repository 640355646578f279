#include "scenarios/world/core.h"

#include <algorithm>
#include <utility>

#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/outside_core.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

sim::Fault lasting(sim::Action action, std::string_view kind) {
  return {photon::SimTime{}, sim::kForever, std::move(action), kind};
}

}  // namespace

Core core_of(const Config& config, const sim::Topology& topology) {
  Core core;
  std::vector<photon::DatacenterId> inside;
  for (const std::string& name : config.run.core) {
    inside.push_back(datacenter_named(topology, name));
    core.chosen.datacenters |= std::uint64_t{1} << inside.back().value();
    core.chosen.replicas += std::ranges::count(config.registry.replicas, name) > 0 ? 1 : 0;
  }
  std::ranges::sort(inside);
  const auto sides = sim::against_all_others(std::move(inside), topology);
  const std::vector<photon::DatacenterId>& outside = sides[1];
  if (outside.empty()) return core;
  const std::string_view kind =
      kOutsideCoreKinds.at(static_cast<std::size_t>(config.run.outside_core)).name;
  switch (config.run.outside_core) {
    case OutsideCore::kDown:
      for (const photon::DatacenterId place : outside) {
        core.lasting.push_back(lasting(sim::Outage{place, sim::kAllComponents}, kind));
      }
      break;
    case OutsideCore::kCutOff:
      core.lasting.push_back(lasting(sim::Partition{sides}, kind));
      break;
    case OutsideCore::kMute:
      core.lasting.push_back(
          lasting(sim::Partition{{outside, sides[0]}, sim::Direction::one_way}, kind));
      break;
  }
  return core;
}

}  // namespace photonsim::scenarios
