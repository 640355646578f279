#include "core_impl/photon/event_store/hash_ring.h"

#include <algorithm>
#include <bit>

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
  const std::size_t prefixes = std::bit_ceil(points_.size() + 2);
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(prefixes));
  std::uint32_t point = 0;
  for (std::uint64_t prefix = 0; prefix < prefixes; ++prefix) {
    while (point < points_.size() && points_[point].place < prefix << shift_) ++point;
    first_.push_back(point);
  }
}

const HashRing::Point& HashRing::point_of(const EventId& id) const {
  PHOTON_CHECK(!points_.empty(), "a ring without nodes owns nothing");
  const std::uint64_t place = hash_of(id);
  std::size_t point = first_[place >> shift_];
  while (point < points_.size() && points_[point].place < place) ++point;
  return point == points_.size() ? points_.front() : points_[point];
}

NodeId HashRing::owner(const EventId& id) const { return point_of(id).node; }
std::uint32_t HashRing::owner_index(const EventId& id) const { return point_of(id).index; }

}  // namespace photon
