#include "core_impl/photon/sharding/shard_map.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon {

ShardMap::ShardMap(std::uint32_t shards) : max_shards_(shards) {
  PHOTON_CHECK(shards > 0, "an id space has at least one shard");
  intervals_.push_back({kBeginning, kEnd, shards});
}

Result<ShardMap, ShardMapError> ShardMap::make(std::span<const ShardInterval> intervals) {
  if (intervals.empty()) return ShardMapError::empty;
  if (intervals.front().start != kBeginning) return ShardMapError::not_from_beginning;
  if (intervals.back().end != kEnd) return ShardMapError::not_to_end;
  ShardMap map;
  map.intervals_.assign(intervals.begin(), intervals.end());
  Stamp expected_start = kBeginning;
  for (const ShardInterval& interval : intervals) {
    if (interval.shards == 0) return ShardMapError::no_shards;
    if (interval.start != expected_start) return ShardMapError::not_contiguous;
    if (interval.start >= interval.end) return ShardMapError::reversed;
    expected_start = interval.end;
    map.max_shards_ = std::max(map.max_shards_, interval.shards);
  }
  return map;
}

ShardId ShardMap::shard_of(const EventId& id) const {
  return ShardId(narrow<std::uint32_t>(hash_of(id) % count_at(id.stamp)));
}

std::uint32_t ShardMap::count_at(Stamp stamp) const {
  PHOTON_CHECK(!intervals_.empty(), "a map covers all stamps");
  if (intervals_.size() > 1) PHOTON_LIMIT("sharding.map.start", stamp, intervals_.back().start);
  // The last interval that starts at or before the stamp; the first one for anything earlier.
  const auto after = std::ranges::upper_bound(intervals_, stamp, {}, &ShardInterval::start);
  return after == intervals_.begin() ? after->shards : std::prev(after)->shards;
}

}  // namespace photon
