// Consistent hashing of query ids over cache nodes: a change of the node set moves few keys.
//
// Each node owns kVirtualNodes points of a ring of 64-bit hashes; a key belongs to the node of the
// first point at or after the key's hash. The order in which nodes are named does not matter.
//
// Paper: Photon section 3.4.1; SPEC E-06.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/strong_id.h"

namespace photon {

class HashRing {
 public:
  static constexpr std::uint32_t kVirtualNodes = 160;

  explicit HashRing(std::span<const NodeId> nodes);

  bool empty() const { return points_.empty(); }
  // Requires !empty().
  NodeId owner(const EventId& id) const;
  // Position of the owner in the list the ring was built from.
  std::uint32_t owner_index(const EventId& id) const;

 private:
  struct Point {
    std::uint64_t place;
    NodeId node;
    std::uint32_t index;
  };
  const Point& point_of(const EventId& id) const;

  PooledVector<Point> points_;  // by place, then node
  // Where to begin: first_[p] is the first point whose place begins with p or more, read as the
  // upper bits of a hash. There are about as many as points, so a look-up reads one or two points.
  PooledVector<std::uint32_t> first_;
  unsigned shift_ = 0;  // from a hash to its upper bits
};

}  // namespace photon
