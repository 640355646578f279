// J-P14: a master sends heartbeats to all.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr GroupId kBeating{0};
constexpr std::uint64_t kBallot = 10;

// Replica 1 is the master; the bound is 100 ms.
struct Beating {
  Beating() : world(config()) { world.step = 0ns; }
  static JudgeConfig config() {
    JudgeConfig config = World::standard();
    config.heartbeat_bound = 100ms;
    return config;
  }
  void beat(std::uint64_t ballot = kBallot) {
    for (const NodeId to : {kReplica2, kReplica3}) {
      world.sent(kReplica1, to, PaxosHeartbeat{ballot, 1, kBeating});
    }
  }
  void accept(NodeId to) { world.sent(kReplica1, to, PaxosAccept{kBallot, 1, 7, kBeating}); }
  void check(std::uint64_t reported) const {
    INFO(world.findings());
    CHECK(world.count("J-P14") == reported);
  }
  World world;
};

}  // namespace

TEST_CASE("J-P14 values for one replica are no heartbeat for the others") {
  Beating scene;
  scene.beat();
  for (int i = 0; i < 3; ++i) {
    scene.world.wait(40ms);
    scene.accept(kReplica2);
  }
  scene.check(1);
  CHECK(scene.world.judge.obligations("J-P14") == 6);
}

TEST_CASE("J-P14 heartbeats, or values for all, in time") {
  Beating scene;
  scene.beat();
  for (int i = 0; i < 5; ++i) {
    scene.world.wait(100ms);
    if (i % 2 == 0) {
      scene.beat();
    } else {
      scene.accept(kReplica2);
      scene.accept(kReplica3);
    }
  }
  scene.check(0);
  SECTION("a moment of work makes it longer, and no more") {
    const bool late = GENERATE(false, true);
    scene.world.wait(100ms + 1ms + (late ? 1ns : 0ns));
    scene.beat();
    scene.check(late ? 2 : 0);
  }
}

TEST_CASE("J-P14 another ballot, another life, a pause and rounds that are left out begin anew") {
  Beating scene;
  scene.beat();
  SECTION("another ballot") {
    scene.world.wait(10s);
    scene.beat(kBallot + 1);
    scene.check(0);
  }
  SECTION("another life") {
    scene.world.wait(10s);
    scene.world.lives[kReplica1.value()] = Incarnation{2};
    scene.beat();
    scene.check(0);
  }
  SECTION("a pause, from its end on") {
    scene.world.environment(kReplica1, ProcessPaused{10'000'000'000});
    const Duration late = GENERATE(0ms, 150ms);
    scene.world.wait(10s + late);
    scene.beat();
    scene.check(late == 0ms ? 0 : 2);
  }
  SECTION("a pause that is ended before its time") {
    scene.world.environment(kReplica1, ProcessPaused{10'000'000'000});
    scene.world.wait(1s);
    scene.world.environment(kReplica1, ProcessResumed{});
    scene.world.wait(150ms);
    scene.beat();
    scene.check(2);
  }
  SECTION("rounds that are left out") {
    scene.world.wait(10s);
    for (const NodeId to : {kReplica2, kReplica3}) {
      scene.world.environment(kNoNode, Recalled{scene.world.now, 100});
      scene.world.sent(kReplica1, to, PaxosHeartbeat{kBallot, 1, kBeating});
    }
    scene.check(0);
    scene.world.wait(150ms);
    scene.beat();
    scene.check(2);
  }
}

}  // namespace photon::analysis::testing
