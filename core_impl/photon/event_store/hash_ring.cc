#include "core_impl/photon/event_store/hash_ring.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"

namespace photon {

HashRing::HashRing(std::span<const NodeId> nodes) {
  points_.reserve(nodes.size() * kVirtualNodes);
  for (std::uint32_t index = 0; index < nodes.size(); ++index) {
    for (std::uint32_t replica = 0; replica < kVirtualNodes; ++replica) {
      const std::uint64_t place = combine(mix(nodes[index].value() + 1ULL), replica);
      points_.push_back(Point{place, nodes[index], index});
    }
  }
  std::ranges::sort(points_, [](const Point& left, const Point& right) {
    return left.place != right.place ? left.place < right.place : left.node < right.node;
  });
}

const HashRing::Point& HashRing::point_of(const EventId& id) const {
  PHOTON_CHECK(!points_.empty(), "a ring without nodes owns nothing");
  const auto point = std::ranges::lower_bound(points_, hash_of(id), {}, &Point::place);
  return point == points_.end() ? points_.front() : *point;
}

NodeId HashRing::owner(const EventId& id) const { return point_of(id).node; }
std::uint32_t HashRing::owner_index(const EventId& id) const { return point_of(id).index; }

}  // namespace photon
