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

}  // namespace photon::analysis::testing
