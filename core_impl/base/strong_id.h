// Integers that name things, one type per kind of thing.
//
// Invariant: two ids of different tags neither compare nor convert.
#pragma once

#include <compare>
#include <cstdint>

namespace photon {

template <class Tag, class Representation>
class StrongId {
 public:
  using representation = Representation;

  constexpr StrongId() = default;
  constexpr explicit StrongId(Representation value) : value_(value) {}

  constexpr Representation value() const { return value_; }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  Representation value_ = 0;
};

using NodeId = StrongId<struct NodeTag, std::uint32_t>;  // a process slot, stable over lives
using Incarnation =
    StrongId<struct IncarnationTag, std::uint32_t>;  // one life of a process, from 1
using DatacenterId = StrongId<struct DatacenterTag, std::uint16_t>;
using ShardId = StrongId<struct ShardTag, std::uint32_t>;
using VolumeId = StrongId<struct VolumeTag, std::uint32_t>;
using Ticket = StrongId<struct TicketTag, std::uint64_t>;  // one volume request of one incarnation

inline constexpr NodeId kNoNode{0xffffffffU};

}  // namespace photon
