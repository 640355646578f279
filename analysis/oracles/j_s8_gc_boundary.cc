#include "analysis/oracles/j_s8_gc_boundary.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void GcBoundary::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::boundary_moved) {
    on_moved(fact, fact.as<trace::BoundaryMoved>());
  } else {
    on_applied(fact, fact.as<trace::OperationApplied>());
  }
}

Stamp GcBoundary::after(const Moves& moves, std::uint64_t slot) {
  const auto later = std::ranges::upper_bound(moves, slot, {}, &Move::slot);
  return later == moves.begin() ? Stamp::min() : std::prev(later)->boundary;
}

void GcBoundary::on_moved(const Fact& fact, const trace::BoundaryMoved& moved) {
  Moves& moves = shards_[moved.shard];
  if (!moves.empty() && moved.slot <= moves.back().slot) {  // by another replica, or once more
    const Stamp known = after(moves, moved.slot);
    if (known != moved.boundary) {
      report(fact, EventId{},
             fmt::format("shard {}, slot {}: the boundary is {}, at an earlier replica it was {}",
                         moved.shard.value(), moved.slot, nanoseconds_of(moved.boundary),
                         nanoseconds_of(known)));
    }
    return;
  }
  const Stamp before = moves.empty() ? Stamp::min() : moves.back().boundary;
  if (moved.boundary < before) {
    report(fact, EventId{},
           fmt::format("shard {}, slot {}: the boundary goes back by {} ns", moved.shard.value(),
                       moved.slot, (before - moved.boundary).count()));
  }
  const auto now = fact.header().at.time_since_epoch() + config().calendar_epoch;
  const Duration age = now - moved.boundary.time_since_epoch();
  if (age < config().gc_age) {
    report(fact, EventId{},
           fmt::format("shard {}, slot {}: the boundary is only {} ns old, N is {} ns",
                       moved.shard.value(), moved.slot, age.count(), config().gc_age.count()));
  }
  moves.push_back({moved.slot, moved.boundary});
}

void GcBoundary::on_applied(const Fact& fact, const trace::OperationApplied& applied) {
  const Stamp boundary = after(shards_[applied.shard], applied.slot);
  const auto say = [&](const char* what) {
    report(fact, applied.id,
           fmt::format("{} at slot {} of shard {}, the boundary being {}", what, applied.slot,
                       applied.shard.value(), nanoseconds_of(boundary)));
  };
  const bool below = applied.id.stamp < boundary;
  if (applied.operation == trace::RegistryOperation::collect) {
    if (!below) say("an id was removed that is not below the boundary");
  } else if (fact.event != kNoIndex) {  // about an id, applied for the first time
    const bool too_old = applied.code == trace::RegistryCode::too_old;
    if (too_old && !below) say("an operation was called too old");
    if (!too_old && below) say("an operation below the boundary was not called too old");
  }
}

}  // namespace photon::analysis
