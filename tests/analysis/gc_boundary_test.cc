// J-S8 on handmade traces: what it must report, and what it must not.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using trace::RegistryCode;
using trace::RegistryOperation;

constexpr ShardId kShard{0};

// Two hours after the beginning, N being one hour: a stamp of `seconds` is 7200 - seconds old.
struct Aged : World {
  Aged() {
    boot();
    wait(2h);
  }
  static EventId id(std::int64_t seconds) { return {100, 1, Stamp(std::chrono::seconds(seconds))}; }
  void move(std::uint64_t slot, std::int64_t seconds, NodeId replica = kReplica1) {
    decide(replica, trace::BoundaryMoved{slot, Stamp(std::chrono::seconds(seconds)), kShard});
  }
  void apply_one(std::uint64_t slot, std::int64_t seconds, RegistryOperation operation,
                 RegistryCode code, NodeId replica = kReplica1) {
    trace::OperationApplied applied{};
    applied.id = id(seconds);
    applied.token = token(kJoiner, slot);
    applied.slot = slot;
    applied.operation = operation;
    applied.code = code;
    applied.shard = kShard;
    decide(replica, applied);
  }
  std::uint64_t found() const { return count("J-S8"); }
};

}  // namespace

TEST_CASE("J-S8 B-62 a boundary that follows the clock, and answers by it, are not reported") {
  Aged world;
  world.apply_one(1, 100, RegistryOperation::insert, RegistryCode::inserted);
  world.move(2, 1000);
  world.move(2, 1000, kReplica2);
  world.move(4, 1000);
  world.apply_one(5, 999, RegistryOperation::insert, RegistryCode::too_old);
  world.apply_one(6, 1000, RegistryOperation::insert, RegistryCode::inserted);
  world.apply_one(7, 100, RegistryOperation::collect, RegistryCode::inserted);
  CHECK(world.found() == 0);
}

TEST_CASE("J-S8 B-62 BC-14 BC-15 a boundary that moves back is reported, on any master") {
  Aged world;
  world.move(2, 1000);
  world.move(3, 999);
  CHECK(world.found() == 1);
}

TEST_CASE("J-S8 B-63 a boundary younger than N is reported") {
  Aged world;
  world.move(2, 3600);
  CHECK(world.found() == 0);
  world.move(3, 3700);
  CHECK(world.found() == 1);
}

TEST_CASE("J-S8 B-62 a replica that moves the boundary elsewhere than the first one is reported") {
  Aged world;
  world.move(2, 1000);
  world.move(3, 1100);
  world.move(2, 1100, kReplica2);
  CHECK(world.found() == 1);
}

TEST_CASE("J-S8 BC-14 a replica that skipped slots must agree with the others' moves in them") {
  Aged world;
  world.move(2, 1000);
  world.apply_one(3, 100, RegistryOperation::collect, RegistryCode::inserted);
  world.move(4, 1100);
  // Another replica has all this from a snapshot, and is the first to continue.
  world.decide(kReplica2, trace::StateRestored{4, 31 * 4, kShard});
  world.apply_one(5, 1099, RegistryOperation::collect, RegistryCode::inserted, kReplica2);
  world.apply_one(6, 1099, RegistryOperation::insert, RegistryCode::too_old, kReplica2);
  CHECK(world.found() == 0);
  SECTION("its boundary is an older one") { world.move(7, 1050, kReplica2); }
  SECTION("it accepts what was below the boundary of a skipped slot") {
    world.apply_one(7, 1099, RegistryOperation::insert, RegistryCode::inserted, kReplica2);
  }
  SECTION("it removes an id that this boundary has not reached") {
    world.apply_one(7, 1100, RegistryOperation::collect, RegistryCode::inserted, kReplica2);
  }
  CHECK(world.found() == 1);
}

TEST_CASE("J-S8 B-64 B-66 inserts and removals on the wrong side are reported") {
  Aged world;
  world.move(2, 1000);
  SECTION("an id that is not below is removed") {
    world.apply_one(3, 1000, RegistryOperation::collect, RegistryCode::inserted);
  }
  SECTION("an insert below is accepted as new") {
    world.apply_one(3, 999, RegistryOperation::insert, RegistryCode::inserted);
  }
  SECTION("an insert at the boundary is called too old (BC-13)") {
    world.apply_one(3, 1000, RegistryOperation::insert, RegistryCode::too_old);
  }
  CHECK(world.found() == 1);
}

}  // namespace photon::analysis::testing
