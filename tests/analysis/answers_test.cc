// J-S13: what the registry answers has been applied; a look-up's answer was true when it was asked.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

TEST_CASE("J-S13 definitive answers repeat what their sender has applied") {
  World world;
  prepare(world, 2);
  const Token token = world.token(kJoiner, 1);
  const Token other = world.token(kFarJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  SECTION("before anything is applied (M-08, M-09)") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    check_only(world, "J-S13");
  }
  SECTION("applied by others, not by the answerer") {
    world.choose(1, 0x101, 0x5001);
    world.apply(kReplica2, 1, 0x5001, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    check_only(world, "J-S13");
  }
  SECTION("another code than the applied one") {
    world.transaction(1, {{1, token}, {1, other, RegistryCode::already_exists, 0}});
    world.answer_insert(kReplica1, kFarJoiner, 1, other, 1, RegistryCode::inserted);
    check_only(world, "J-S13");
  }
  SECTION("slot 0") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 0, RegistryCode::already_exists);
    check_both(world, "J-S13", "J-S4");  // it exists, and no other client can have inserted it
  }
  SECTION("a look-up sees an insert that is not applied") {
    world.transaction(1, {{2, world.token(kJoiner, 2)}});
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    check_only(world, "J-S13");
  }
  SECTION("a look-up misses an insert that is applied") {
    world.transaction(1, {{1, token}});
    world.transaction(2, {});
    world.answer_lookup(kReplica1, kDispatcher, 1, 2, RegistryCode::not_found);
    check_both(world, "J-S13", "J-S9");
  }
  SECTION("duplicates of the network and of the answer are fine") {
    world.transaction(1, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    CHECK(world.total() == 0);
  }
  SECTION("retriable answers claim nothing") {
    world.answer_insert(kReplica2, kJoiner, 1, token, 0, RegistryCode::not_master);
    CHECK(world.total() == 0);
  }
}

namespace {

// Slot 1 holds click 2; click 1 is to be inserted with the returned token.
Token prepare_lookups(World& world) {
  prepare(world, 2);
  const Token token = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  world.transaction(1, {{2, world.token(kJoiner, 2)}});
  return token;
}

// So far J-S13 reported this, and no other oracle except J-S4, as a client sees it.
enum class Stale : std::uint8_t { no, yes };
void check_stale(const World& world, Stale stale) {
  INFO(world.findings());
  CHECK(world.count("J-S13") == (stale == Stale::yes ? 1 : 0));
  if (stale == Stale::no) CHECK(world.count("J-S4") == 0);
  CHECK(world.total() == world.count("J-S13") + world.count("J-S4"));
}

}  // namespace

TEST_CASE("J-S13 J-S4 a look-up answers from a state at or after its request") {
  World world;
  const Token token = prepare_lookups(world);
  SECTION("asked before the insert: it may miss it, in its slot and before (B-26)") {
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.transaction(2, {{1, token}});
    const std::uint64_t slot = GENERATE(1, 2);
    world.reply_lookup(kReplica1, kDispatcher, 1, slot, RegistryCode::not_found);
    check_stale(world, Stale::no);
  }
  SECTION("asked after the insert: it may not miss it, whatever slot the answer names") {
    world.transaction(2, {{1, token}});
    const std::uint64_t slot = GENERATE(0, 1, 2);
    world.answer_lookup(kReplica1, kDispatcher, 1, slot, RegistryCode::not_found);
    check_stale(world, Stale::yes);
  }
  SECTION("the copy that arrived first counts; the next request counts separately") {
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.transaction(2, {{1, token}});
    world.delivered(kDispatcher, kReplica1,
                    RegistryAsk{click_id(1), Token{}, 2, RegistryOperation::lookup, ShardId{0}});
    for (int copy = 0; copy < 2; ++copy) {
      world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    }
    check_stale(world, Stale::no);
    world.ask_lookup(kDispatcher, kReplica1, 1, 3);
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found, 3);
    check_stale(world, Stale::yes);
  }
  SECTION("a correct answer from a slot older than the request is luck") {
    world.transaction(2, {});
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    check_stale(world, Stale::yes);
  }
  SECTION("answers without a request, answered twice, or by another life") {
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    check_stale(world, Stale::yes);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    check_stale(world, Stale::yes);
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    CHECK(world.count("J-S13") == 2);
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.crash(kReplica1);
    world.restart(kReplica1);
    world.reply_lookup(kReplica1, kDispatcher, 1, 0, RegistryCode::not_found);
    CHECK(world.count("J-S13") == 3);
  }
}

TEST_CASE("J-S13 J-S4 a look-up's answer agrees with the boundary (B-62, B-65)") {
  JudgeConfig config = World::standard();
  config.gc_age = 10ms;  // the boundary moves soon after the clicks
  World world(config);
  const Token token = prepare_lookups(world);
  SECTION("too old: not before the boundary moved, not at a slot before it") {
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.ask_lookup(kDispatcher, kReplica1, 1, 3);
    world.move_boundary(2, 2);
    const std::uint64_t slot = GENERATE(1, 2);
    world.reply_lookup(kReplica1, kDispatcher, 1, slot, RegistryCode::too_old);
    check_stale(world, slot == 1 ? Stale::yes : Stale::no);
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found, 3);  // at that time
    check_stale(world, slot == 1 ? Stale::yes : Stale::no);
  }
  SECTION("too old: an id at the boundary is not (BC-13)") {
    world.move_boundary(2, 2);
    world.answer_lookup(kReplica1, kDispatcher, 2, 2, RegistryCode::too_old);
    check_stale(world, Stale::yes);
  }
  SECTION("not found and exists: not for an id below the boundary when it was asked") {
    world.transaction(2, {{1, token}});
    world.move_boundary(3, 2);
    const auto code = GENERATE(RegistryCode::not_found, RegistryCode::exists);
    world.answer_lookup(kReplica1, kDispatcher, 1, 3, code);
    check_stale(world, Stale::yes);
  }
  SECTION("too old at slot 0") {
    world.answer_lookup(kReplica1, kDispatcher, 1, 0, RegistryCode::too_old);
    check_stale(world, Stale::yes);
  }
}

}  // namespace photon::analysis::testing
