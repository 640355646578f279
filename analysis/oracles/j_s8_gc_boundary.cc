#include "analysis/oracles/j_s8_gc_boundary.h"

#include <fmt/format.h>

namespace photon::analysis {

void GcBoundary::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::boundary_moved) {
    on_moved(fact, fact.as<trace::BoundaryMoved>());
  } else {
    on_applied(fact, fact.as<trace::OperationApplied>());
  }
}

void GcBoundary::on_moved(const Fact& fact, const trace::BoundaryMoved& moved) {
  oblige();
  const BoundaryHistory::Move last = registry_.boundaries().last(moved.shard);
  if (moved.slot <= last.slot) {  // by another replica, or again
    const Stamp known = registry_.boundaries().up_to(moved.shard, moved.slot).boundary;
    if (known != moved.boundary) {
      report(fact, EventId{},
             fmt::format("shard {}, slot {}: the boundary is {}, at an earlier replica it was {}",
                         moved.shard.value(), moved.slot, nanoseconds_of(moved.boundary),
                         nanoseconds_of(known)));
    }
    return;
  }
  if (moved.boundary < last.boundary) {
    report(fact, EventId{},
           fmt::format("shard {}, slot {}: the boundary decreases by {} ns", moved.shard.value(),
                       moved.slot, (last.boundary - moved.boundary).count()));
  }
  const auto now = fact.header().at.time_since_epoch() + config().calendar_epoch;
  const Duration age = now - moved.boundary.time_since_epoch();
  if (age < config().gc_age) {
    report(fact, EventId{},
           fmt::format("shard {}, slot {}: the boundary is only {} ns old, N is {} ns",
                       moved.shard.value(), moved.slot, age.count(), config().gc_age.count()));
  }
}

void GcBoundary::on_applied(const Fact& fact, const trace::OperationApplied& applied) {
  const bool collected = applied.operation == trace::RegistryOperation::collect;
  if (!collected && fact.event == kNoIndex) return;  // about no id, or a replica's repetition
  oblige();
  const Stamp boundary = registry_.boundaries().up_to(applied.shard, applied.slot).boundary;
  const auto say = [&](const char* what) {
    report(fact, applied.id,
           fmt::format("{} at slot {} of shard {}, the boundary being {}", what, applied.slot,
                       applied.shard.value(), nanoseconds_of(boundary)));
  };
  const bool below = applied.id.stamp < boundary;
  if (collected) {
    if (!below) say("an id was removed that is not below the boundary");
  } else {
    const bool too_old = applied.code == trace::RegistryCode::too_old;
    if (too_old && !below) say("an operation was called too old");
    if (!too_old && below) say("an operation below the boundary was not called too old");
  }
}

}  // namespace photon::analysis
