// Figures of garbage collection, from handmade traces.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using trace::RegistryCode;
using trace::RegistryOperation;

constexpr ShardId kShard{0};

// Every record takes a millisecond; N is an hour.
struct Collecting : World {
  Collecting() {
    boot();
    wait(2h);
  }
  // The boundary moves to the stamp N + `late` ago.
  void move(NodeId replica, std::uint64_t slot, Duration late) {
    const Duration from = now.time_since_epoch() + 1ms - 1h - late;
    decide(replica, trace::BoundaryMoved{slot, Stamp(from), kShard});
    applied(replica, slot);
  }
  void collect(NodeId replica, std::uint64_t slot, std::uint32_t ids) {
    for (std::uint32_t i = 0; i < ids; ++i) {
      trace::OperationApplied each{};
      each.id = click_id(i);
      each.slot = slot;
      each.operation = RegistryOperation::collect;
      each.shard = kShard;
      decide(replica, each);
    }
    applied(replica, slot);
  }
  void applied(NodeId replica, std::uint64_t slot) {
    decide(replica, trace::SlotApplied{slot, slot * 17, slot * 31, kShard, 1});
  }
  const Counters& counters() const { return judge.counters(); }
};

double milliseconds(double nanoseconds) { return nanoseconds / 1e6; }

}  // namespace

TEST_CASE("B-69 collections count once, whichever replicas apply them; so do their ids") {
  Collecting world;
  world.collect(kReplica1, 1, 5);
  world.collect(kReplica2, 1, 5);
  world.collect(kReplica1, 2, 0);  // found nothing
  world.collect(kReplica2, 2, 0);
  world.collect(kReplica2, 3, 2);
  world.collect(kReplica1, 3, 2);
  CHECK(world.counters().collections == 2);
  CHECK(world.counters().ids_collected == 7);
}

TEST_CASE("B-68 a boundary's lag grows until its next move, and until the run ends") {
  Collecting world;
  world.move(kReplica1, 1, 10ms);
  const SimTime first = world.now - 1ms;  // of the move's record
  world.move(kReplica2, 1, 10ms);
  CHECK(world.counters().boundary_lag_max == Duration{});  // unknown before the next move
  world.wait(1s);
  world.move(kReplica1, 2, 20ms);
  const Duration to_second = world.now - 1ms - first;
  CHECK(world.counters().boundary_lag_max == 10ms + to_second);
  CHECK(milliseconds(world.counters().boundary_lag_mean()) ==
        Approx(10 + static_cast<double>(to_second.count()) / 2e6));
  world.wait(3s);
  world.environment(kNoNode, trace::RunPhase{trace::Phase::finished});
  const Duration to_end = world.now - 1ms - first - to_second;
  CHECK(world.counters().boundary_lag_max == 20ms + to_end + 1ms);
}

}  // namespace photon::analysis::testing
