// J-S9 on handmade traces: what it must report, and what it must not.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr ShardId kShard{0};

// Two hours after the beginning, N being one hour; an id of `seconds` is 7200 - seconds old.
struct Aged : World {
  Aged() {
    boot();
    wait(2h);
  }
  static EventId id(std::int64_t seconds) { return {100, 1, Stamp(std::chrono::seconds(seconds))}; }
  void apply_one(std::uint64_t slot, std::int64_t seconds, RegistryOperation operation,
                 RegistryCode code, std::uint32_t fresh) {
    OperationApplied applied{};
    applied.id = id(seconds);
    applied.token = owner;
    applied.slot = slot;
    applied.operation = operation;
    applied.code = code;
    applied.shard = kShard;
    applied.fresh = fresh;
    decide(kReplica1, applied);
  }
  void insert(std::uint64_t slot, std::int64_t seconds, std::uint32_t fresh = 1) {
    apply_one(slot, seconds, RegistryOperation::insert, RegistryCode::inserted, fresh);
  }
  void answer(std::uint64_t slot, std::int64_t seconds, RegistryCode code) {
    sent(kReplica1, kDispatcher,
         RegistryAnswer{id(seconds), Token{}, 1, slot, RegistryOperation::lookup, code, kShard});
  }
  void move(std::uint64_t slot, std::int64_t seconds) {
    decide(kReplica1, BoundaryMoved{slot, Stamp(std::chrono::seconds(seconds)), kShard});
  }
  std::uint64_t found() const { return count("J-S9"); }

  Token owner{11, 41, 1};
};

}  // namespace

TEST_CASE("J-S9 B-68 too old means older than N by true time, to the nanosecond") {
  Aged world;
  world.answer(1, 3600, RegistryCode::too_old);  // some milliseconds older than N
  world.apply_one(1, 3600, RegistryOperation::insert, RegistryCode::too_old, 0);
  CHECK(world.found() == 0);
  SECTION("an answer") { world.answer(1, 3601, RegistryCode::too_old); }
  SECTION("an operation") {
    world.apply_one(2, 3601, RegistryOperation::insert, RegistryCode::too_old, 0);
  }
  CHECK(world.found() == 1);
}

TEST_CASE("J-S9 B-64 a registered id stays until the boundary or a recovery delete") {
  Aged world;
  world.insert(2, 1000);
  SECTION("looked up from a slot after it") {
    world.answer(3, 1000, RegistryCode::not_found);
    CHECK(world.found() == 1);
  }
  SECTION("looked up from its slot or before: that may be stale, not lost") {
    world.answer(2, 1000, RegistryCode::not_found);
    CHECK(world.found() == 0);
  }
  SECTION("inserted afresh") {
    world.insert(3, 1000, 0);
    CHECK(world.found() == 0);
    world.insert(4, 1000, 1);
    CHECK(world.found() == 1);
  }
  SECTION("a removal finds nothing") {
    world.apply_one(3, 1000, RegistryOperation::remove, RegistryCode::not_found, 0);
    CHECK(world.found() == 1);
  }
  SECTION("after a recovery delete it is absent") {
    world.apply_one(3, 1000, RegistryOperation::remove, RegistryCode::removed, 1);
    world.answer(4, 1000, RegistryCode::not_found);
    world.insert(5, 1000);
    CHECK(world.found() == 0);
    world.answer(6, 1000, RegistryCode::not_found);
    CHECK(world.found() == 1);
  }
  SECTION("below the boundary J-S8 checks it") {
    world.move(3, 1001);
    world.answer(3, 1000, RegistryCode::not_found);
    world.insert(4, 1000);
    CHECK(world.found() == 0);
  }
}

}  // namespace photon::analysis::testing
