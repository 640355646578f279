// Which shard owns an event id: a history of shard counts over the id's own time stamp.
//
// shard = hash_of(id) mod n, n being the number of shards in force at the stamp of the id (never at
// arrival or processing time, SPEC B-53), so every client maps an id to the same shard for ever.
// The hash is fixed and pinned by golden values (B-50). Intervals are half-open [start, end),
// sorted, contiguous, from the beginning of time to its end (B-52). A stamp before the beginning
// belongs to the first interval: the map is total.
//
// Paper: Photon section 2.2.2.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/result.h"
#include "core_impl/base/strong_id.h"

namespace photon {

struct ShardInterval {
  Stamp start{};
  Stamp end{};  // exclusive; kEnd in the last interval, which contains it
  std::uint32_t shards = 0;

  friend bool operator==(const ShardInterval&, const ShardInterval&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.start, self.end, self.shards);
  }
};

enum class ShardMapError : std::uint8_t {
  empty,               // no interval
  no_shards,           // an interval with a count of zero
  reversed,            // an interval that does not start before it ends
  not_contiguous,      // a gap, an overlap, or out of order
  not_from_beginning,  // the first interval does not start at kBeginning
  not_to_end,          // the last interval does not end at kEnd
};

class ShardMap {
 public:
  static constexpr Stamp kBeginning{};
  static constexpr Stamp kEnd = Stamp::max();

  // One shard.
  ShardMap() : ShardMap(1) {}
  // The same count for all time. Requires shards > 0.
  explicit ShardMap(std::uint32_t shards);
  static Result<ShardMap, ShardMapError> make(std::span<const ShardInterval> intervals);

  ShardId shard_of(const EventId& id) const;
  // The largest count of the history: shards are numbered below it.
  std::uint32_t max_shards() const { return max_shards_; }
  std::span<const ShardInterval> intervals() const { return intervals_; }

  friend bool operator==(const ShardMap&, const ShardMap&) = default;

 private:
  std::uint32_t count_at(Stamp stamp) const;

  PooledVector<ShardInterval> intervals_;
  std::uint32_t max_shards_ = 1;
};

}  // namespace photon
