// What J-S10, J-S11 and J-S16 check in a registry-only load, which has neither clicks nor output.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

JudgeConfig alone() {
  JudgeConfig config = World::standard();
  config.pipelines.clear();
  return config;
}

// A client inserted click 1 with its token, and received OK.
struct Loaded : World {
  Loaded() : World(alone()) {
    boot();
    mine = token(kJoiner, 1);
    intend(RegistryOperation::insert, 1);
    ask(RegistryOperation::insert, 1);
    transaction(1, {{1, mine}});
    answer_insert(kReplica1, kJoiner, 1, mine, 1);
    end(RegistryOperation::insert, 1, RegistryCode::inserted);
  }
  void intend(RegistryOperation operation, std::uint64_t number, NodeId client = kJoiner) {
    decide(client, LoadAsked{click_id(1), mine, number, operation});
  }
  void ask(RegistryOperation operation, std::uint64_t request) {
    sent(kJoiner, kReplica1, RegistryAsk{click_id(1), mine, request, operation, ShardId{0}});
  }
  void end(RegistryOperation operation, std::uint64_t number, RegistryCode code) {
    wait(-1ms);  // of the time at which the reply arrived
    decide(kJoiner, LoadDone{click_id(1), mine, number, operation, code});
  }
  void applied(RegistryOperation operation, RegistryCode code) {
    transaction(2, {{1, mine, code, 1, operation}});
  }
  Token mine{};
};

}  // namespace

TEST_CASE("J-S10 B-41 a load may use its token again, for another operation") {
  Loaded world;
  CHECK(world.total() == 0);
  SECTION("the registry must recognise it") {
    world.intend(RegistryOperation::insert, 2);
    world.ask(RegistryOperation::insert, 2);
    world.ask(RegistryOperation::insert, 2);
    CHECK(world.total() == 0);
  }
  SECTION("but not after the operation has ended") {
    world.ask(RegistryOperation::insert, 1);
    CHECK(world.count("J-S10") == 1);
  }
  SECTION("and no operation of another kind replaces it") {
    world.intend(RegistryOperation::clear, 2);
    world.ask(RegistryOperation::insert, 2);
    CHECK(world.count("J-S10") == 1);
  }
}

TEST_CASE("J-S10 F-12 a token is cleared only when its load requested that") {
  Loaded world;
  SECTION("requested") {
    world.intend(RegistryOperation::clear, 2);
    world.ask(RegistryOperation::clear, 2);
    world.applied(RegistryOperation::clear, RegistryCode::cleared);
    CHECK(world.total() == 0);
  }
  SECTION("not requested") {
    world.applied(RegistryOperation::clear, RegistryCode::cleared);
    CHECK(world.count("J-S10") == 1);
  }
  SECTION("requested by another client") {
    world.intend(RegistryOperation::clear, 2, kFarJoiner);
    world.applied(RegistryOperation::clear, RegistryCode::cleared);
    CHECK(world.count("J-S10") == 1);
  }
  SECTION("sent without a request") {
    world.ask(RegistryOperation::clear, 2);
    CHECK(world.count("J-S10") == 1);
  }
}

TEST_CASE("J-S11 F-09 an id of a load is removed only when the life that drew its token asked") {
  Loaded world;
  SECTION("requested") {
    world.intend(RegistryOperation::remove, 2);
    world.ask(RegistryOperation::remove, 2);
    world.applied(RegistryOperation::remove, RegistryCode::removed);
    CHECK(world.total() == 0);
  }
  SECTION("not requested") {
    world.applied(RegistryOperation::remove, RegistryCode::removed);
    CHECK(world.count("J-S11") == 1);
  }
  SECTION("requested by its next life") {
    world.crash(kJoiner);
    world.restart(kJoiner);
    world.intend(RegistryOperation::remove, 2);
    world.applied(RegistryOperation::remove, RegistryCode::removed);
    CHECK(world.count("J-S11") == 1);
  }
}

}  // namespace photon::analysis::testing
