// Look-ups outside the queue: what the oracles check in their answers, by what the messages state.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

// Click 1 is inserted in slot 1, which replicas 1 (the master) and 3 have applied; 2 has not.
struct Scene {
  Scene() {
    world.boot();
    for (std::uint32_t click = 1; click <= 2; ++click) world.generate(click);
    world.ship_all(2);
    const Token token = world.token(kJoiner, 1);
    world.ask_insert(kJoiner, 1, token);
    world.choose(1, 0x101, 0x5001);
    world.apply(kReplica1, 1, 0x5001, {{1, token}});
    world.apply(kReplica3, 1, 0x5001, {{1, token}});
  }
  void ask(NodeId replica, LookupMode mode, std::uint64_t at_least = 0) {
    world.message(kDispatcher, replica,
                  RegistryAsk{click_id(1), Token{}, 7, RegistryOperation::lookup, ShardId{0}, mode,
                              0, at_least});
  }
  void answer(NodeId replica, LookupMode mode, RegistryCode code, std::uint64_t slot) {
    world.message(replica, kDispatcher,
                  RegistryAnswer{click_id(1), Token{}, 7, slot, RegistryOperation::lookup, code,
                                 ShardId{0}, mode});
  }
  void check(std::string_view oracle, std::uint64_t times) const {
    INFO(world.findings());
    CHECK(world.count(oracle) == times);
    CHECK(world.total() == times);
  }

  World world;
};

constexpr auto kReplicaMode = LookupMode::replica;

}  // namespace

TEST_CASE("J-S4 J-S7 B-07 a replica may answer from its past, if the request allows it") {
  Scene scene;
  SECTION("a lagging replica") {
    scene.ask(kReplica2, kReplicaMode);
    scene.answer(kReplica2, kReplicaMode, RegistryCode::not_found, 0);
    scene.check("J-S13", 0);
  }
  SECTION("a lagging replica, after the insert was answered") {
    scene.world.answer_insert(kReplica1, kJoiner, 1, scene.world.token(kJoiner, 1), 1);
    scene.ask(kReplica2, kReplicaMode);
    scene.answer(kReplica2, kReplicaMode, RegistryCode::not_found, 0);
    scene.check("J-S4", 0);
  }
  SECTION("a master may not: it is linearizable") {
    scene.world.answer_insert(kReplica1, kJoiner, 1, scene.world.token(kJoiner, 1), 1);
    scene.ask(kReplica1, LookupMode::bypass);
    scene.answer(kReplica1, LookupMode::bypass, RegistryCode::not_found, 0);
    INFO(scene.world.findings());
    CHECK(scene.world.count("J-S4") == 1);
    CHECK(scene.world.count("J-S13") == 1);
  }
  SECTION("a replica that does not lag") {
    scene.ask(kReplica3, kReplicaMode);
    scene.answer(kReplica3, kReplicaMode, RegistryCode::exists, 1);
    scene.check("J-S13", 0);
  }
  SECTION("asked in the master's queue, no other replica answers") {
    scene.ask(kReplica3, LookupMode::queue_ordered);
    scene.answer(kReplica3, LookupMode::queue_ordered, RegistryCode::exists, 1);
    scene.check("J-S7", 1);
  }
  SECTION("nor outside it") {
    scene.ask(kReplica3, LookupMode::bypass);
    scene.answer(kReplica3, LookupMode::bypass, RegistryCode::exists, 1);
    scene.check("J-S7", 1);
  }
  SECTION("naming another mode in the answer does not help") {
    scene.ask(kReplica3, LookupMode::queue_ordered);
    scene.answer(kReplica3, kReplicaMode, RegistryCode::exists, 1);
    scene.check("J-S13", 1);
  }
}

TEST_CASE("J-S4 J-S13 B-07 a replica answers what it has applied, at least the requested slot") {
  Scene scene;
  SECTION("from a slot that it has not applied") {
    scene.ask(kReplica2, kReplicaMode);
    scene.answer(kReplica2, kReplicaMode, RegistryCode::exists, 1);
    scene.check("J-S13", 1);
  }
  SECTION("what did not hold at its slot") {
    scene.ask(kReplica3, kReplicaMode);
    scene.answer(kReplica3, kReplicaMode, RegistryCode::not_found, 1);
    scene.check("J-S13", 1);
  }
  SECTION("older than the request allows: possibly from before a removal") {
    scene.ask(kReplica2, kReplicaMode, 1);
    scene.answer(kReplica2, kReplicaMode, RegistryCode::not_found, 0);
    scene.check("J-S13", 1);
  }
  SECTION("then it refuses") {
    scene.ask(kReplica2, kReplicaMode, 1);
    scene.answer(kReplica2, kReplicaMode, RegistryCode::unavailable, 0);
    scene.check("J-S13", 0);
  }
}

TEST_CASE("J-S13 B-07 a master's answer outside its queue is as fresh as what it had applied") {
  Scene scene;
  scene.ask(kReplica1, LookupMode::bypass);
  SECTION("the truth") {
    scene.answer(kReplica1, LookupMode::bypass, RegistryCode::exists, 1);
    scene.check("J-S13", 0);
  }
  SECTION("the past") {
    scene.answer(kReplica1, LookupMode::bypass, RegistryCode::not_found, 0);
    scene.check("J-S13", 1);
  }
}

TEST_CASE("J-S4 F-08 the look-up of a returned click names the slot of its removal") {
  constexpr std::uint32_t kReturns = 9;
  World world;
  world.boot();
  world.generate(1);
  world.ship_all(1);
  const auto look_up = [&](LookupMode mode, std::uint64_t at_least) {
    world.sent(kDispatcher, kReplica2,
               RegistryAsk{click_id(1), Token{}, 7, RegistryOperation::lookup, ShardId{0}, mode, 0,
                           at_least});
  };
  const auto bring_back = [&] { world.stored(NodeId{13}, ClickReinjected{click_id(1), 4, 50, 9}); };
  const auto read_return = [&] { world.decide(kDispatcher, ClickRead{click_id(1), 50, kReturns}); };
  const auto check = [&](std::uint64_t times) {
    INFO(world.findings());
    CHECK(world.count("J-S4") == times);
    CHECK(world.total() == times);
  };
  SECTION("an earlier slot is accused, that slot and a later one are not") {
    bring_back();
    read_return();
    look_up(kReplicaMode, 4);
    look_up(kReplicaMode, 5);
    check(0);
    look_up(kReplicaMode, 3);
    check(1);
  }
  SECTION("nothing is to be named to the master, nor before the return is read") {
    bring_back();
    look_up(kReplicaMode, 0);
    read_return();
    look_up(LookupMode::queue_ordered, 0);
    check(0);
  }
  SECTION("the life has the click from its own log too, before or after the return") {
    const bool before = GENERATE(true, false);
    if (before) {
      world.read(kDispatcher, 1);
      look_up(kReplicaMode, 0);
    }
    bring_back();
    read_return();
    if (!before) world.read(kDispatcher, 1);
    look_up(kReplicaMode, 0);
    check(0);
  }
  SECTION("it is saved: the journal may have another owner") {
    bring_back();
    read_return();
    world.stored(kDispatcher, RetrySaved{click_id(1), LocalTime{}, 1});
    look_up(kReplicaMode, 0);
    check(0);
  }
  SECTION("a later life begins with nothing") {
    bring_back();
    read_return();
    world.crash(kDispatcher);
    world.restart(kDispatcher);
    look_up(kReplicaMode, 0);
    check(0);
  }
}

}  // namespace photon::analysis::testing
