// J-S18 with every reason, honest and lying.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

// Three attempts that miss; the last one is answered by the caller.
void miss_until_hopeless(World& world, Duration age) {
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (i == 2) world.wait(age);
    world.ask_join(kDispatcher, kJoiner, 1, i + 1, i);
    world.miss(kJoiner, 1);
    if (i < 2) world.answer_join(kJoiner, kDispatcher, 1, i + 1, JoinOutcome::query_not_found);
  }
}

}  // namespace

TEST_CASE("J-S18 unjoinable needs attempts > R and age > A and a miss of that attempt") {
  World world;
  prepare(world);
  SECTION("all three: justified") {
    miss_until_hopeless(world, 11s);
    world.answer_join(kJoiner, kDispatcher, 1, 3, JoinOutcome::unjoinable);
    world.done(kDispatcher, 1, DoneReason::unjoinable);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("D-19 answered before the unjoinable log holds it") {
    miss_until_hopeless(world, 11s);
    world.message(kJoiner, kDispatcher, JoinAnswer{click_id(1), 3, JoinOutcome::unjoinable});
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("too young (M-31: attempts OR age)") {
    miss_until_hopeless(world, 1s);
    world.answer_join(kJoiner, kDispatcher, 1, 3, JoinOutcome::unjoinable);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("on the first miss of an old click (M-31)") {
    world.wait(1min);
    world.ask_join(kDispatcher, kJoiner, 1, 1, 0);
    world.miss(kJoiner, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::unjoinable);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("an inflated count of attempts") {
    world.wait(1min);
    world.ask_join(kDispatcher, kJoiner, 1, 1, 9);
    world.miss(kJoiner, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::unjoinable);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("without a look-up for this attempt") {
    for (std::uint32_t i = 0; i < 3; ++i) {
      world.ask_join(kDispatcher, kJoiner, 1, i + 1, i);
      if (i == 0) world.miss(kJoiner, 1);
      if (i < 2) world.answer_join(kJoiner, kDispatcher, 1, i + 1, JoinOutcome::query_not_found);
    }
    world.wait(1min);
    world.answer_join(kJoiner, kDispatcher, 1, 3, JoinOutcome::unjoinable);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("the miss of the cache alone does not count") {
    world.wait(1min);
    for (std::uint32_t i = 0; i < 3; ++i) {
      world.ask_join(kDispatcher, kJoiner, 1, i + 1, i);
      world.message(
          NodeId{30}, kJoiner,
          QueryAnswer{query_id(1), EventId{}, 5, QueryStatus::not_found, QueryTier::cache});
      if (i < 2) world.answer_join(kJoiner, kDispatcher, 1, i + 1, JoinOutcome::query_not_found);
    }
    world.answer_join(kJoiner, kDispatcher, 1, 3, JoinOutcome::unjoinable);
    CHECK(world.count("J-S18") == 1);
  }
}

TEST_CASE("J-S18 joined needs the registration and the durable output of the life that says it") {
  World world;
  prepare(world);
  SECTION("joined before it is registered (M-14)") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::joined);
    CHECK(world.count("J-S18") == 1);
    world.done(kDispatcher, 1, DoneReason::joined);
    CHECK(world.count("J-S18") == 2);
  }
  SECTION("joined although another one owns it") {
    world.join(1, 1);
    world.ask_join(kDispatcher, kJoiner2, 1, 2);
    world.answer_join(kJoiner2, kDispatcher, 1, 2, JoinOutcome::joined);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("joined by an earlier life, which crashed before the output") {
    const Token token = world.token(kJoiner, 1);
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.ask_insert(kJoiner, 1, token);
    world.transaction(1, {{1, token}});
    world.crash(kJoiner);
    world.restart(kJoiner);
    world.ask_join(kDispatcher, kJoiner, 1, 2);
    world.answer_join(kJoiner, kDispatcher, 1, 2, JoinOutcome::joined);
    INFO(world.findings());
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("registered, but the output is not durable (D-19)") {
    const Token token = world.token(kJoiner, 1);
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.ask_insert(kJoiner, 1, token);
    world.transaction(1, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::joined);
    INFO(world.findings());
    CHECK(world.count("J-S18") == 1);
  }
}

TEST_CASE("J-S18 exists, skipped and too old need their evidence") {
  World world;
  prepare(world);
  SECTION("already exists, but nobody has it (M-08)") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::already_exists);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("a look-up without an answer is taken for exists (M-33), masked by the other pipeline") {
    world.join(1, 1);
    world.answer_lookup(kReplica1, kFarDispatcher, 1, 0, RegistryCode::unavailable);
    world.done(kFarDispatcher, 1, DoneReason::lookup_exists);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("done without any answer") {
    world.join(1, 1);
    world.done(kFarDispatcher, 1, DoneReason::already_exists);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("skipped against the reference adapter") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::skipped);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("too old inside N") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::too_old);
    CHECK(world.count("J-S18") == 1);
  }
  SECTION("too old beyond N is justified") {
    world.wait(2h);
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::too_old);
    world.done(kDispatcher, 1, DoneReason::too_old);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

}  // namespace photon::analysis::testing
