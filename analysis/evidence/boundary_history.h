// The garbage boundary of each shard: by slot, as the first replica to apply the slot reported it,
// and when. J-S4, J-S5, J-S8, J-S9, J-S13 and the corner cases share this history. It judges
// nothing.
//
// A move in a slot that does not follow the last one comes from another replica, or from the same
// one after a restart: J-S8 compares it with this history. Nothing is forgotten: a shard moves its
// boundary every few seconds.
//
// SPEC B-62..B-66.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "analysis/evidence/dense_table.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

class BoundaryHistory {
 public:
  struct Move {
    std::uint64_t slot = 0;
    Stamp boundary = Stamp::min();  // as it was reported
    Stamp highest = Stamp::min();   // so far: the same, unless the boundary decreased
    SimTime at{};                   // of the first report
  };

  void absorb(const trace::BoundaryMoved& moved, SimTime at) {
    std::vector<Move>& moves = moves_[moved.shard];
    if (!moves.empty() && moved.slot <= moves.back().slot) return;
    const Stamp before = moves.empty() ? Stamp::min() : moves.back().highest;
    moves.push_back({moved.slot, moved.boundary, std::max(before, moved.boundary), at});
  }

  // The last move in the slots up to and with `slot`; a Move of slot 0 before the first one.
  Move up_to(ShardId shard, std::uint64_t slot) const {
    const std::vector<Move>* moves = moves_.find(shard);
    if (moves == nullptr) return {};
    const auto later = std::ranges::upper_bound(*moves, slot, {}, &Move::slot);
    return later == moves->begin() ? Move{} : *std::prev(later);
  }
  Move last(ShardId shard) const { return up_to(shard, std::numeric_limits<std::uint64_t>::max()); }
  // When a boundary above the stamp was first reported; SimTime::max() if none was.
  SimTime passed_at(ShardId shard, Stamp stamp) const {
    const std::vector<Move>* moves = moves_.find(shard);
    if (moves == nullptr || moves->empty() || stamp >= moves->back().highest) {
      return SimTime::max();
    }
    return std::ranges::upper_bound(*moves, stamp, {}, &Move::highest)->at;
  }

 private:
  DenseTable<ShardId, std::vector<Move>> moves_;  // slots ascending
};

}  // namespace photon::analysis
