// J-S4 on traces made by hand: what clients were told, and when.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using trace::BoundaryMoved;
using trace::RegistryAnswer;
using trace::RegistryAsk;
using trace::RegistryCode;
using trace::RegistryOperation;

constexpr ShardId kShard{0};

// Questions and answers alone, whatever servers say about slots: J-S4 does not read that.
struct Clients : World {
  Clients() { boot(); }
  void ask(NodeId client, std::uint64_t request, const Token& token = {}, std::uint32_t click = 1) {
    sent(client, kReplica1, RegistryAsk{click_id(click), token, request, kind(token), kShard});
  }
  void told(NodeId client, std::uint64_t request, RegistryCode code, const Token& token = {},
            std::uint32_t click = 1, ShardId shard = kShard) {
    delivered(kReplica1, client,
              RegistryAnswer{click_id(click), token, request, 0, kind(token), code, shard});
  }
  void move(std::uint64_t slot, std::uint32_t click, ShardId shard = kShard) {
    decide(kReplica1, BoundaryMoved{slot, click_id(click).stamp, shard});
  }
  static RegistryOperation kind(const Token& token) {
    return token.is_empty() ? RegistryOperation::lookup : RegistryOperation::insert;
  }
  std::uint64_t found() const { return count("J-S4"); }
};

}  // namespace

TEST_CASE("J-S4 B-02 B-41 what overlaps may go either way, what follows must see it") {
  Clients world;
  const Token mine = world.token(kJoiner, 1);
  const Token other = world.token(kFarJoiner, 1);
  world.ask(kJoiner, 1, mine);
  world.ask(kFarJoiner, 1, other);
  world.ask(kDispatcher, 1);
  world.told(kJoiner, 1, RegistryCode::inserted, mine);
  world.told(kDispatcher, 1, RegistryCode::not_found);
  CHECK(world.found() == 0);
  SECTION("a stale look-up") {
    world.ask(kDispatcher, 2);
    world.told(kDispatcher, 2, RegistryCode::not_found);
    CHECK(world.found() == 1);
    CHECK(world.findings().find("the look-up that node 10 asked for") != std::string::npos);
  }
  SECTION("two owners") {
    world.told(kFarJoiner, 1, RegistryCode::inserted, other);
    CHECK(world.found() == 1);
  }
  SECTION("a loser, and the winner's repetition") {
    world.told(kFarJoiner, 1, RegistryCode::already_exists, other);
    world.ask(kJoiner, 2, mine);
    world.told(kJoiner, 2, RegistryCode::inserted, mine);
    CHECK(world.found() == 0);
  }
  SECTION("the winner's repetition is refused") {
    world.ask(kJoiner, 2, mine);
    world.told(kJoiner, 2, RegistryCode::already_exists, mine);
    CHECK(world.found() == 1);
  }
  SECTION("one id is accused once") {
    for (std::uint64_t request = 2; request < 9; ++request) {
      world.ask(kDispatcher, request);
      world.told(kDispatcher, request, RegistryCode::not_found);
    }
    CHECK(world.found() == 1);
  }
}

TEST_CASE("J-S4 BC-28 a repetition is no operation of its own, nor is a second answer") {
  Clients world;
  const Token mine = world.token(kJoiner, 1);
  world.ask(kJoiner, 1, mine);
  world.ask(kDispatcher, 1);
  world.told(kDispatcher, 1,
             RegistryCode::exists);  // the first copy took effect, its reply is lost
  world.ask(kJoiner, 1, mine);
  world.told(kJoiner, 1, RegistryCode::inserted, mine);
  world.told(kJoiner, 1, RegistryCode::already_exists, mine);  // nobody reads that
  CHECK(world.found() == 0);
}

TEST_CASE("J-S4 an operation without an answer may take effect late, or never") {
  Clients world;
  const Token lost = world.token(kJoiner, 1);
  const Token mine = world.token(kFarJoiner, 1);
  world.ask(kJoiner, 1, lost);
  world.ask(kDispatcher, 1);
  world.told(kDispatcher, 1, RegistryCode::not_found);
  SECTION("late") {
    world.wait(1h);
    world.ask(kFarJoiner, 1, mine);
    world.told(kFarJoiner, 1, RegistryCode::already_exists, mine);
    CHECK(world.found() == 0);
    world.ask(kDispatcher, 2);
    world.told(kDispatcher, 2, RegistryCode::not_found);
    CHECK(world.found() == 1);
  }
  SECTION("never") {
    world.ask(kFarJoiner, 1, mine);
    world.told(kFarJoiner, 1, RegistryCode::inserted, mine);
    CHECK(world.found() == 0);
  }
}

TEST_CASE("J-S4 B-65 too old exactly from the moment when the boundary was seen to pass") {
  JudgeConfig config = World::standard();
  config.shards = 2;
  Clients world;
  const Token mine = world.token(kJoiner, 1);
  world.ask(kJoiner, 1, mine);
  world.told(kJoiner, 1, RegistryCode::inserted, mine);
  world.ask(kDispatcher, 1);
  SECTION("not before") {
    world.told(kDispatcher, 1, RegistryCode::too_old);
    CHECK(world.found() == 1);
  }
  SECTION("then by whoever is asked, and what was asked before may be older") {
    world.ask(kFarDispatcher, 1);
    world.move(3, 2);
    world.told(kDispatcher, 1, RegistryCode::too_old);
    world.told(kFarDispatcher, 1, RegistryCode::exists);
    CHECK(world.found() == 0);
    world.move(4, 3);  // nothing is open: the id is forgotten
    world.ask(kDispatcher, 2);
    world.told(kDispatcher, 2, RegistryCode::too_old);
    CHECK(world.found() == 0);
    world.ask(kDispatcher, 3);
    world.told(kDispatcher, 3, RegistryCode::exists);
    CHECK(world.found() == 1);
  }
  SECTION("another shard's boundary is another matter") {
    world.move(3, 2, ShardId{1});
    world.told(kDispatcher, 1, RegistryCode::too_old, {}, 1, ShardId{1});
    CHECK(world.found() == 0);
    world.ask(kDispatcher, 2);
    world.told(kDispatcher, 2, RegistryCode::too_old);
    CHECK(world.found() == 1);
  }
}

}  // namespace photon::analysis::testing
