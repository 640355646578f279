#include "core_impl/photon/sharding/shard_history.h"

#include <span>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon {
namespace {

ShardMap map_of(std::span<const ShardInterval> intervals) {
  auto map = ShardMap::make(intervals);
  PHOTON_CHECK(map.has_value(), "a cut of a history is a history");
  return std::move(map).assume_value();
}

// Replaces everything from the start of the change on by its count. A change that was scheduled
// after it and had not begun is dropped with the rest.
ShardMap with_change(const ShardMap& map, const ShardHistory::Change& change) {
  PooledVector<ShardInterval> intervals;
  for (const ShardInterval& interval : map.intervals()) {
    if (interval.start >= change.start) break;
    intervals.push_back(interval);
  }
  PHOTON_CHECK(!intervals.empty(), "a change starts after the beginning of time");
  intervals.back().end = change.start;
  if (intervals.back().shards == change.shards) {
    PHOTON_MARK("sharding.change.joins_neighbour");
    intervals.back().end = ShardMap::kEnd;
    return map_of(intervals);
  }
  intervals.push_back({change.start, ShardMap::kEnd, change.shards});
  return map_of(intervals);
}

// As `announce` leaves it, or none: then all of it is zero.
bool is_possible(const ShardHistory::Change& open, Stamp horizon) {
  if (open.shards == 0) return open == ShardHistory::Change{};
  return open.shards <= ShardHistory::kMostShards && open.start > ShardMap::kBeginning &&
         open.start < ShardMap::kEnd && open.start >= horizon;
}

}  // namespace

ShardingResult ShardHistory::apply(const ShardingOperation& operation) {
  const std::uint64_t version = version_;
  const Stamp horizon = horizon_;
  const ShardingResult result = applied(operation);
  PHOTON_CHECK(version_ == version || version_ == version + 1, "versions grow by one");
  PHOTON_CHECK(horizon_ >= horizon, "what is final stays final");
  PHOTON_CHECK(version_ == version || result == ShardingResult::ok,
               "only an accepted operation makes a version");
  PHOTON_CHECK(!open_ || open_->start >= horizon_, "an open change is not below the horizon");
  return result;
}

ShardingResult ShardHistory::applied(const ShardingOperation& operation) {
  switch (operation.action) {
    case ShardingAction::announce:
      return announce(operation);
    case ShardingAction::confirm:
    case ShardingAction::cancel:
      return decide(operation);
    case ShardingAction::extend_horizon:
      return extend_horizon(operation);
    case ShardingAction::forget:
      return forget(operation);
  }
  PHOTON_CHECK(false, "the log holds an unknown operation of the configuration");
  return ShardingResult::conflict;
}

ShardingResult ShardHistory::announce(const ShardingOperation& operation) {
  if (open_) {
    PHOTON_MARK("sharding.announce.another_open");
    return ShardingResult::undecided;
  }
  if (operation.version != version_) {
    PHOTON_MARK("sharding.announce.outdated");
    return ShardingResult::conflict;
  }
  if (operation.shards == 0 || operation.shards > kMostShards) return ShardingResult::no_shards;
  PHOTON_LIMIT("sharding.announce.horizon", operation.start, horizon_);
  if (operation.start < horizon_ || operation.start <= ShardMap::kBeginning) {
    PHOTON_MARK("sharding.announce.below_horizon");
    return ShardingResult::below_horizon;
  }
  if (operation.start == ShardMap::kEnd) return ShardingResult::no_change;
  const Change change{operation.start, operation.shards};
  if (with_change(map_, change) == map_) {
    PHOTON_MARK("sharding.announce.changes_nothing");
    return ShardingResult::no_change;
  }
  open_ = change;
  ++version_;
  return ShardingResult::ok;
}

// The version names the announcement that is decided, so a late decision of an older one is void.
ShardingResult ShardHistory::decide(const ShardingOperation& operation) {
  if (!open_) {
    PHOTON_MARK("sharding.decide.nothing_open");
    return ShardingResult::nothing_open;
  }
  if (operation.version != version_) {
    PHOTON_MARK("sharding.decide.outdated");
    return ShardingResult::conflict;
  }
  if (operation.action == ShardingAction::confirm) map_ = with_change(map_, *open_);
  if (operation.action == ShardingAction::cancel) PHOTON_MARK("sharding.decide.cancelled");
  open_.reset();
  ++version_;
  return ShardingResult::ok;
}

ShardingResult ShardHistory::extend_horizon(const ShardingOperation& operation) {
  if (open_) PHOTON_LIMIT("sharding.horizon.open_change", operation.start, open_->start);
  // A horizon cannot pass an undecided change.
  if (open_ && operation.start > open_->start) {
    PHOTON_MARK("sharding.horizon.beyond_open_change");
    return ShardingResult::undecided;
  }
  if (operation.start <= horizon_) {
    PHOTON_MARK("sharding.horizon.not_later");
    return ShardingResult::no_change;
  }
  horizon_ = operation.start;
  return ShardingResult::ok;
}

ShardingResult ShardHistory::forget(const ShardingOperation& operation) {
  if (open_) {
    PHOTON_MARK("sharding.forget.while_open");
    return ShardingResult::undecided;
  }
  if (operation.version != version_) {
    PHOTON_MARK("sharding.forget.outdated");
    return ShardingResult::conflict;
  }
  PooledVector<ShardInterval> kept;
  for (const ShardInterval& interval : map_.intervals()) {
    if (interval.end > operation.start) kept.push_back(interval);
  }
  // Whole intervals only, and never the last one.
  const bool whole = !kept.empty() && kept.front().start == operation.start;
  if (!whole || operation.start == ShardMap::kBeginning) {
    // The version, compared before, identifies the intervals.
    PHOTON_MARK("sharding.forget.no_whole_interval");
    return ShardingResult::no_change;
  }
  kept.front().start = ShardMap::kBeginning;
  PHOTON_MARK("sharding.forget.done");
  map_ = map_of(kept);
  ++version_;
  return ShardingResult::ok;
}

Bytes ShardHistory::snapshot() const {
  Bytes bytes;
  Encoder encode(bytes);
  const auto intervals = map_.intervals();
  encode(version_, horizon_, narrow<std::uint32_t>(intervals.size()));
  for (const ShardInterval& interval : intervals) encode(interval);
  // A count of zero: no change is open.
  encode(open_.value_or(Change{}));
  return bytes;
}

bool ShardHistory::restore(std::span<const std::byte> snapshot) {
  Decoder decode(snapshot);
  std::uint64_t version = 0;
  Stamp horizon{};
  PooledVector<ShardInterval> intervals;
  Change open;
  decode(version, horizon, intervals, open);
  if (!decode.ok() || decode.remaining() != 0) return false;
  auto map = ShardMap::make(intervals);
  if (!map.has_value() || map.assume_value().max_shards() > kMostShards) return false;
  if (!is_possible(open, horizon)) return false;
  version_ = version;
  map_ = std::move(map).assume_value();
  horizon_ = horizon;
  if (open.shards != 0) PHOTON_MARK("sharding.restore.change_open");
  open_ = open.shards == 0 ? std::nullopt : std::optional(open);
  return true;
}

std::uint64_t ShardHistory::state_hash() const {
  const auto word = [](Stamp stamp) { return static_cast<std::uint64_t>(nanoseconds_of(stamp)); };
  std::uint64_t hash = combine(mix(version_), word(horizon_));
  for (const ShardInterval& interval : map_.intervals()) {
    hash = combine(combine(hash, word(interval.start)), interval.shards);
  }
  if (open_) hash = combine(combine(hash, word(open_->start)), open_->shards + 1ULL);
  return hash;
}

}  // namespace photon
