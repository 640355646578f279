// J-P2: some insert commits while no fault disturbs the group.
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

// This number of times, one second apart.
void ask_for(World& world, std::uint32_t click, const Token& token, int times = 1) {
  for (int i = 0; i < times; ++i) {
    world.wait(1s);
    world.ask_insert(kJoiner, click, token);
  }
}

}  // namespace

TEST_CASE("J-P2 an insert that is repeated commits while no fault disturbs the group") {
  World world(with_bound());
  prepare(world, 3);
  const Token token = world.token(kJoiner, 1);
  const Token other = world.token(kJoiner, 2);
  ask_for(world, 1, token, 30);
  INFO(world.findings());
  CHECK(world.total() == 0);
  CHECK(world.judge.obligations("J-P2") == 1);
  SECTION("never") {
    ask_for(world, 1, token, 30);  // reported once
    check_only(world, "J-P2");
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
  }
  SECTION("it does") {
    world.transaction(1, {{1, token}});
    ask_for(world, 2, other, 30);
    INFO(world.findings());
    CHECK(world.total() == 0);
    CHECK(world.judge.obligations("J-P2") == 2);
    ask_for(world, 2, other, 2);
    check_only(world, "J-P2");
  }
  SECTION("another insert commits") {
    world.ask_insert(kFarJoiner, 3, world.token(kFarJoiner, 3));
    world.transaction(1, {{3, world.token(kFarJoiner, 3)}});
    ask_for(world, 1, token, 30);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("the request went to the wrong group") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 0, RegistryCode::wrong_shard);
    ask_for(world, 1, token, 30);
    CHECK(world.count("J-P2") == 0);
  }
  SECTION("\"no master\" is not a definitive answer") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 0, RegistryCode::not_master);
    ask_for(world, 1, token, 2);
    check_only(world, "J-P2");
  }
}

TEST_CASE("J-P2 a group without any answer is reported after healing, without an insert") {
  World world(with_bound());
  prepare(world, 1);
  const auto look_up = [&](int times) {
    for (int i = 0; i < times; ++i) {
      world.wait(1s);
      world.ask_lookup(kDispatcher, kReplica1, 1, 7);
    }
  };
  look_up(100);  // perhaps the requests are lost
  CHECK(world.total() == 0);
  world.quiesce();
  SECTION("nothing") {
    look_up(60);
    CHECK(world.total() == 0);
    look_up(3);
    check_only(world, "J-P2");
  }
  SECTION("not repeated often enough to be sure") {
    for (int i = 0; i < 12; ++i) {  // nine of them after the first 30 s
      look_up(1);
      CHECK(world.total() == 0);
      world.wait(9s);
    }
    look_up(1);
    check_only(world, "J-P2");
  }
  SECTION("what was not requested meanwhile was not refused") {
    look_up(30);
    world.wait(16s);
    look_up(60);
    INFO(world.findings());
    CHECK(world.total() == 0);
    look_up(3);
    check_only(world, "J-P2");
  }
  SECTION("something") {
    look_up(50);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    look_up(50);
    CHECK(world.count("J-P2") == 0);
  }
}

TEST_CASE("J-P2 a fault suspends the obligation; time counts again from its end") {
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

TEST_CASE("J-P2 an insert that is not repeated creates no obligation meanwhile") {
  World world(with_bound());
  prepare(world, 2);
  const Token token = world.token(kJoiner, 1);
  ask_for(world, 1, token, 5);
  world.wait(3h);  // its client is alive and silent
  world.ask_insert(kFarJoiner, 2, world.token(kFarJoiner, 1));
  CHECK(world.total() == 0);
  CHECK(world.judge.obligations("J-P2") == 2);
  ask_for(world, 1, token, 29);
  INFO(world.findings());
  CHECK(world.total() == 0);
  ask_for(world, 1, token, 2);
  check_only(world, "J-P2");
  CHECK(world.findings().find("has been asked since 10805") != std::string::npos);
}

TEST_CASE("J-P2 of replaced disks only those that were admitted again have a vote") {
  World world(with_bound());
  prepare(world, 1);
  const Token token = world.token(kJoiner, 1);
  world.choose(1, 0x101, 7);
  ask_for(world, 1, token, 20);
  world.format(kReplica2, 2);
  SECTION("one of three") {
    ask_for(world, 1, token, 12);
    check_only(world, "J-P2");
  }
  SECTION("two of three: no majority is left to admit them") {
    world.format(kReplica3, 2);
    ask_for(world, 1, token, 60);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-P2 a replica with wrong bytes on its disk counts while it sends messages") {
  JudgeConfig config = with_bound();
  config.replicas = {kReplica1, kReplica2, kReplica3};
  const bool two = GENERATE(true, false);
  config.unsound = {kReplica3};
  if (two) config.unsound.push_back(kReplica2);
  World world(config);
  prepare(world, 1);
  const Token token = world.token(kJoiner, 1);
  const auto hear = [&](NodeId replica) {
    world.sent(replica, kReplica1, PaxosGranted{0x101, 0, ShardId{0}});
  };
  const auto ask_and_hear = [&](int seconds) {
    for (int i = 0; i < seconds; ++i) {
      ask_for(world, 1, token);
      hear(kReplica2);
    }
  };
  SECTION("silent from the start") {
    ask_for(world, 1, token, 60);
    CHECK(world.count("J-P2") == (two ? 0 : 1));
  }
  SECTION("one of them works: a majority does") {
    ask_and_hear(30);
    CHECK(world.total() == 0);
    ask_and_hear(3);
    check_only(world, "J-P2");
  }
  SECTION("it works until shortly before a commit is due") {
    ask_and_hear(28);
    ask_for(world, 1, token, 60);
    CHECK(world.count("J-P2") == (two ? 0 : 1));
  }
  SECTION("it works again: its full time counts from then on") {
    ask_and_hear(20);
    ask_for(world, 1, token, 20);
    if (two) CHECK(world.total() == 0);
    ask_and_hear(30);
    CHECK(world.count("J-P2") == (two ? 0 : 1));
    ask_and_hear(3);
    check_only(world, "J-P2");
  }
}

}  // namespace photon::analysis::testing
