// J-P2: some insert commits, if nothing disturbs the group.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

JudgeConfig with_bound() {
  JudgeConfig config = World::standard();
  config.commit_bound = 30s;
  return config;
}

// So many times, a second apart.
void ask_for(World& world, std::uint32_t click, const Token& token, int times = 1) {
  for (int i = 0; i < times; ++i) {
    world.wait(1s);
    world.ask_insert(kJoiner, click, token);
  }
}

}  // namespace

TEST_CASE("J-P2 an insert that is asked for again and again commits, where nothing disturbs") {
  World world(with_bound());
  prepare(world, 3);
  const Token token = world.token(kJoiner, 1);
  const Token other = world.token(kJoiner, 2);
  ask_for(world, 1, token, 30);
  INFO(world.findings());
  CHECK(world.total() == 0);
  CHECK(world.judge.demands("J-P2") == 1);
  SECTION("never") {
    ask_for(world, 1, token, 30);  // said once
    check_only(world, "J-P2");
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
  }
  SECTION("it does") {
    world.transaction(1, {{1, token}});
    ask_for(world, 2, other, 30);
    INFO(world.findings());
    CHECK(world.total() == 0);
    CHECK(world.judge.demands("J-P2") == 2);
    ask_for(world, 2, other, 2);
    check_only(world, "J-P2");
  }
  SECTION("another one does") {
    world.ask_insert(kFarJoiner, 3, world.token(kFarJoiner, 3));
    world.transaction(1, {{3, world.token(kFarJoiner, 3)}});
    ask_for(world, 1, token, 30);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("the group is not the one to ask") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 0, RegistryCode::wrong_shard);
    ask_for(world, 1, token, 30);
    CHECK(world.count("J-P2") == 0);
  }
  SECTION("that there is no master is no answer") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 0, RegistryCode::not_master);
    ask_for(world, 1, token, 2);
    check_only(world, "J-P2");
  }
}

TEST_CASE("J-P2 a group that answers nothing is told when all is mended: nobody comes to insert") {
  World world(with_bound());
  prepare(world, 1);
  const auto look_up = [&](int times) {
    for (int i = 0; i < times; ++i) {
      world.wait(1s);
      world.ask_lookup(kDispatcher, kReplica1, 1, 7);
    }
  };
  look_up(100);  // it may be that nobody hears it
  CHECK(world.total() == 0);
  world.quiesce();
  SECTION("nothing") {
    look_up(60);
    CHECK(world.total() == 0);
    look_up(3);
    check_only(world, "J-P2");
  }
  SECTION("not asked often enough to be sure") {
    look_up(30);
    world.wait(60s);
    look_up(9);
    INFO(world.findings());
    CHECK(world.total() == 0);
    look_up(2);
    check_only(world, "J-P2");
  }
  SECTION("something") {
    look_up(50);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    look_up(50);
    CHECK(world.count("J-P2") == 0);
  }
}

TEST_CASE("J-P2 a disturbance suspends it, and counts from its end on") {
  World world(with_bound());
  prepare(world, 1);
  const Token token = world.token(kJoiner, 1);
  ask_for(world, 1, token, 20);
  const auto fault = GENERATE(0, 1, 2);
  if (fault == 0) world.crash(kReplica1);
  if (fault == 1) world.environment(kNoNode, PartitionBegan{0, kHere, kFar});
  if (fault == 2) world.environment(kDispatcher, OutageBegan{0, 1});
  ask_for(world, 1, token, 60);
  INFO(world.findings());
  CHECK(world.total() == 0);
  if (fault == 0) world.restart(kReplica1);
  if (fault == 1) world.environment(kNoNode, PartitionHealed{0, kHere, kFar});
  if (fault == 2) world.environment(kDispatcher, OutageEnded{0, 1});
  ask_for(world, 1, token, 30);
  INFO(world.findings());
  CHECK(world.total() == 0);
  ask_for(world, 1, token, 2);
  check_only(world, "J-P2");
}

}  // namespace photon::analysis::testing
