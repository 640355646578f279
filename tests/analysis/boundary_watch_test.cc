// B-68: a boundary that stands still is seen at the end of the run, where it could have moved.
#include "analysis/boundary_watch.h"

#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

JudgeConfig config_of() {
  JudgeConfig config = World::standard();
  config.gc_age = 1s;
  config.boundary_bound = 12s;
  return config;
}

// One shard whose master moves the boundary, as far as it does.
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

}  // namespace

TEST_CASE("B-68 a boundary that moves on is not accused, one that stands still is") {
  Moving world;
  world.move();
  world.wait(20s);
  SECTION("it moves") {
    world.move();
    world.wait(5s);
    world.quiesce();
    CHECK(world.found() == 0);
    CHECK(world.judge.boundary_watch().held() == 1);
  }
  SECTION("it stands still") {
    world.quiesce();
    CHECK(world.found() == 1);
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
    CHECK(world.findings().find("it moved last at") != std::string::npos);
  }
  SECTION("the run was not healed") { CHECK(world.found() == 0); }
  SECTION("nothing says how often it should") {
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

TEST_CASE("B-68 nothing is demanded of a shard that could not move its boundary all the time") {
  Moving world;
  world.move();
  world.wait(20s);
  SECTION("its master's office ended") {
    world.decide(kReplica1, trace::MasterEnded{2, ShardId{0}});
  }
  SECTION("its master is new") { world.elect(kReplica1, 3, 0); }
  SECTION("its master died") { world.crash(kReplica1); }
  SECTION("another replica is down") { world.crash(kReplica3); }
  SECTION("another replica has just come back") {
    world.crash(kReplica3);
    world.restart(kReplica3);
  }
  SECTION("others waited in its queue") {
    world.decide(kReplica1, trace::BatchProposed{2, 5, 7, ShardId{0}});
  }
  SECTION("a fault that has no end of its own was over a moment ago") {
    world.environment(kNoNode, trace::FaultEffect{1});
  }
  world.wait(1s);
  world.quiesce();
  world.wait(10s);
  world.ask_lookup(kDispatcher, kReplica1, 1);
  CHECK(world.found() == 0);
  CHECK(world.judge.boundary_watch().held() == 0);
}

}  // namespace photon::analysis::testing
