// B-68, J-P5: a boundary that stands still and garbage that is not collected are reported at the
// end of the run, unless a fault explains them.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using trace::RegistryCode;
using trace::RegistryOperation;

JudgeConfig config_of() {
  JudgeConfig config = World::standard();
  config.gc_age = 1s;
  config.boundary_bound = 12s;
  return config;
}

// One shard whose master moves the boundary as far as allowed.
struct Moving : World {
  Moving() : World(config_of()) {
    boot();
    elect(kReplica1, 2, 0);
  }
  void move() {
    decide(kReplica1, trace::BoundaryMoved{++slot, Stamp(now.time_since_epoch() - 1s), ShardId{0}});
  }
  std::uint64_t found() {
    judge.finish();
    return count("B-68");
  }
  std::uint64_t slot = 0;
};

// A shard whose replicas store click 1 and may remove it.
struct Storing : World {
  using World::World;
  void apply(NodeId replica, RegistryOperation operation, RegistryCode code, std::uint64_t slot) {
    decide(replica, trace::OperationApplied{click_id(1), Token{11, 41, 1}, slot, 0, operation, code,
                                            ShardId{0}, 1});
  }
  void move(std::uint64_t slot) {
    decide(kReplica1, trace::BoundaryMoved{slot, Stamp(now.time_since_epoch() - 1s), ShardId{0}});
  }
  std::uint64_t found() {
    quiesce();
    judge.finish();
    return count("J-P5");
  }
};

}  // namespace

TEST_CASE("B-68 a boundary that moves is not reported, one that stands still is") {
  Moving world;
  world.move();
  world.wait(20s);
  SECTION("it moves") {
    world.move();
    world.wait(5s);
    world.quiesce();
    CHECK(world.found() == 0);
    CHECK(world.judge.obligations("B-68") == 1);
  }
  SECTION("it stands still") {
    world.quiesce();
    CHECK(world.found() == 1);
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
    CHECK(world.findings().find("it moved last at") != std::string::npos);
  }
  SECTION("the run was not healed") { CHECK(world.found() == 0); }
  SECTION("no interval is configured") {
    JudgeConfig config = config_of();
    config.boundary_bound = Duration::zero();
    World other(config);
    other.boot();
    other.wait(60s);
    other.quiesce();
    other.judge.finish();
    CHECK(other.count("B-68") == 0);
  }
}

TEST_CASE("B-68 no obligation for a shard that could not move its boundary all the time") {
  Moving world;
  world.move();
  world.wait(20s);
  SECTION("its master's term ended") { world.decide(kReplica1, trace::MasterEnded{2, ShardId{0}}); }
  SECTION("its master is new") { world.elect(kReplica1, 3, 0); }
  SECTION("its master died") { world.crash(kReplica1); }
  SECTION("another replica is down") { world.crash(kReplica3); }
  SECTION("another replica has just come back") {
    world.crash(kReplica3);
    world.restart(kReplica3);
  }
  SECTION("other operations waited in its queue") {
    world.decide(kReplica1, trace::BatchProposed{2, 5, 7, ShardId{0}});
  }
  SECTION("a fault without an end of its own ended a moment ago") {
    world.environment(kNoNode, trace::FaultEffect{1});
  }
  world.wait(1s);
  world.quiesce();
  world.wait(10s);
  world.ask_lookup(kDispatcher, kReplica1, 1);
  CHECK(world.found() == 0);
  CHECK(world.judge.obligations("B-68") == 0);
}

TEST_CASE("J-P5 an id long below the boundary is removed, or its shard is reported") {
  JudgeConfig config = config_of();
  config.collect_bound = 15s;
  Storing world(config);
  world.boot();
  world.elect(kReplica1, 2, 0);
  world.generate(1);
  world.apply(kReplica1, RegistryOperation::insert, RegistryCode::inserted, 1);
  world.apply(kReplica2, RegistryOperation::insert, RegistryCode::inserted, 1);
  SECTION("not below it") {
    world.wait(20s);
    CHECK(world.found() == 0);
  }
  SECTION("below it for a short time") {
    world.wait(20s);
    world.move(2);
    world.wait(14s);
    CHECK(world.found() == 0);
  }
  SECTION("below it for long") {
    world.wait(2s);
    world.move(2);
    world.wait(16s);
    CHECK(world.found() == 1);
    INFO(world.findings());
    CHECK(world.findings().find("still stores 1 ids") != std::string::npos);
  }
  SECTION("below it for long, but the master is new") {
    world.wait(2s);
    world.move(2);
    world.wait(10s);
    world.elect(kReplica1, 3, 0);
    world.wait(14s);
    CHECK(world.found() == 0);
  }
  SECTION("removed: every replica reports it, and it counts once") {
    world.apply(kReplica1, RegistryOperation::insert, RegistryCode::inserted, 1);
    world.wait(2s);
    world.move(2);
    for (const NodeId replica : {kReplica2, kReplica1, kReplica3}) {
      world.apply(replica, RegistryOperation::collect, RegistryCode::inserted, 3);
    }
    world.wait(16s);
    CHECK(world.found() == 0);
    CHECK(world.judge.obligations("B-68") == 1);
  }
  SECTION("one of two") {
    world.decide(kReplica1, trace::OperationApplied{click_id(2), Token{11, 41, 2}, 1, 1,
                                                    RegistryOperation::insert,
                                                    RegistryCode::inserted, ShardId{0}, 1});
    world.wait(2s);
    world.move(2);
    for (const NodeId replica : {kReplica2, kReplica1, kReplica3}) {
      world.apply(replica, RegistryOperation::collect, RegistryCode::inserted, 3);
    }
    world.wait(16s);
    CHECK(world.found() == 1);
  }
}

TEST_CASE("J-P5 B-60b numbers of shards that no id needs are forgotten in time") {
  constexpr ShardId kHistory{2};
  JudgeConfig config = config_of();
  config.shards = 3;
  config.sharding_group = kHistory.value();
  config.first_shards = 2;
  config.forget_bound = 5s;
  World world(config);
  world.boot();
  const auto apply = [&](std::uint64_t slot, trace::ShardingAction action, std::uint64_t version,
                         Stamp start = {}, std::uint32_t shards = 0) {
    world.decide(kReplica2, trace::ShardingApplied{slot, version, start, action, shards, kHistory});
  };
  const auto pass = [&](ShardId shard) {
    world.decide(kReplica1, trace::BoundaryMoved{1, Stamp(100ms), shard});
  };
  const auto found = [&] {
    world.quiesce();
    world.judge.finish();
    INFO(world.findings());
    return world.count("J-P5");
  };
  world.decide(kReplica2, trace::MasterElected{2, 0, kHistory});
  world.wait(2s);
  apply(1, trace::ShardingAction::announce, 0, Stamp(50ms), 1);
  apply(2, trace::ShardingAction::confirm, 1);
  SECTION("every boundary has passed the change for longer than the bound") {
    pass(ShardId{0});
    pass(ShardId{1});
    const bool late = GENERATE(true, false);
    world.wait(late ? Duration(6s) : Duration(4s));
    CHECK(found() == (late ? 1 : 0));
  }
  SECTION("a shard of the old number has not passed it") {
    pass(ShardId{0});
    world.wait(60s);
    CHECK(found() == 0);
  }
  SECTION("they are forgotten: that counts as checked") {
    pass(ShardId{0});
    pass(ShardId{1});
    apply(3, trace::ShardingAction::forget, 2, Stamp(50ms));
    world.wait(60s);
    CHECK(found() == 0);
    CHECK(world.judge.obligations("J-P5") > 0);
  }
  SECTION("a process is down") {
    pass(ShardId{0});
    pass(ShardId{1});
    world.crash(kJoiner);
    world.wait(60s);
    CHECK(found() == 0);
  }
}

}  // namespace photon::analysis::testing
