#include "scenarios/world/master_placement.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scenarios/config/config_distances.h"

namespace photonsim::scenarios {
namespace {

using photon::paxos::ReplicaIndex;

ReplicaIndex nearest(const Config& config) {
  return static_cast<ReplicaIndex>(RoundTrips{config}.nearest_replica());
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
  const RoundTrips trips{config};
  std::vector<ReplicaIndex> order(config.registry.replicas.size());
  std::iota(order.begin(), order.end(), ReplicaIndex{0});
  const auto distance = [&](ReplicaIndex index) {
    const std::string& name = config.registry.replicas[index];
    return std::pair{name != datacenter, trips.between(datacenter, name)};
  };
  std::ranges::stable_sort(order, {}, distance);
  return order;
}

}  // namespace photonsim::scenarios
