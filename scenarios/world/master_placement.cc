#include "scenarios/world/master_placement.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/wan.h"

namespace photonsim::scenarios {
namespace {

using photon::paxos::ReplicaIndex;

// Zero for a pair without a measured or given round trip, such as a datacenter and itself.
Duration round_trip(const Config& config, const std::string& from, const std::string& to) {
  Duration found{0};
  const auto matches = [&](std::string_view a, std::string_view b) {
    return (a == from && b == to) || (a == to && b == from);
  };
  if (config.network.wan == WanSource::kGcpUs2020) {
    for (const photon::models::MeasuredRoundTrip& each : photon::models::gcp_us_2020()) {
      if (matches(each.from, each.to)) found = each.round_trip;
    }
  }
  for (const NetworkLink& link : config.network.links) {
    if (matches(link.from, link.to)) found = link.rtt;
  }
  return found;
}

// The time a master there waits for its quorum: the f-th smallest remote round trip (G-03).
Duration quorum_delay(const Config& config, const std::string& master) {
  std::vector<Duration> remote;
  for (const std::string& replica : config.registry.replicas) {
    if (replica != master) remote.push_back(round_trip(config, master, replica));
  }
  if (remote.empty()) return Duration{0};
  std::ranges::sort(remote);
  return remote[config.registry.replicas.size() / 2 - 1];
}

ReplicaIndex nearest(const Config& config) {
  const auto& replicas = config.registry.replicas;
  const auto best = std::ranges::min_element(
      replicas, {}, [&](const std::string& name) { return quorum_delay(config, name); });
  return static_cast<ReplicaIndex>(best - replicas.begin());
}

ReplicaIndex pinned(const Config& config) {
  const auto& replicas = config.registry.replicas;
  const auto found = std::ranges::find(replicas, config.registry.pinned_datacenter);
  return static_cast<ReplicaIndex>(found == replicas.end() ? 0 : found - replicas.begin());
}

}  // namespace

std::vector<ReplicaIndex> preferred_masters(const Config& config, const Deployment& deployment) {
  std::vector<ReplicaIndex> result;
  for (std::size_t shard = 0; shard < deployment.groups(); ++shard) {
    switch (config.registry.master_placement) {
      case MasterPlacement::kSpread:
        result.push_back(static_cast<ReplicaIndex>(shard % config.registry.replicas.size()));
        break;
      case MasterPlacement::kPinned:
        result.push_back(pinned(config));
        break;
      case MasterPlacement::kNearest:
        result.push_back(nearest(config));
        break;
    }
  }
  return result;
}

std::vector<ReplicaIndex> replicas_by_distance(const Config& config,
                                               const std::string& datacenter) {
  std::vector<ReplicaIndex> order(config.registry.replicas.size());
  std::iota(order.begin(), order.end(), ReplicaIndex{0});
  const auto distance = [&](ReplicaIndex index) {
    const std::string& name = config.registry.replicas[index];
    return std::pair{name != datacenter, round_trip(config, datacenter, name)};
  };
  std::ranges::stable_sort(order, {}, distance);
  return order;
}

}  // namespace photonsim::scenarios
