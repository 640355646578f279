// J-S18 with every reason, true and false.
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
  world.boot();
  world.generate(1);
  world.ship(kDispatcher, kClickFile, kRecordBytes);  // its query is not there
  world.read(kDispatcher, 1);
  SECTION("all three: valid") {
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

TEST_CASE("J-S18 joined needs the registration and the durable output of the life that answers") {
  World world;
  prepare(world);
  SECTION("joined before it is registered (M-14)") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::joined);
    CHECK(world.count("J-S18") == 1);
    world.done(kDispatcher, 1, DoneReason::joined);
    CHECK(world.count("J-S18") == 2);
  }
  SECTION("joined although another joiner owns it") {
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

TEST_CASE(
    "J-S18 a refusal must come from the registry, to an attempt of the life that reports it") {
  World world;
  prepare(world);
  world.join(1, 1);
  const Token token = world.token(kFarJoiner, 1);
  world.ask_join(kFarDispatcher, kFarJoiner, 1, 1);
  const auto refused = [&] {
    world.answer_insert(kReplica1, kFarJoiner, 1, token, 2, RegistryCode::already_exists);
  };
  const auto answer = [&] {
    world.answer_join(kFarJoiner, kFarDispatcher, 1, 1, JoinOutcome::already_exists);
  };
  SECTION("refused: valid") {
    world.ask_insert(kFarJoiner, 1, token);
    world.transaction(2, {{1, token, RegistryCode::already_exists, 0}});
    refused();
    answer();
    check_only(world, "J-S18", 0);
  }
  SECTION("never asked, masked by the pipeline that joined the click") {
    answer();
    check_only(world, "J-S18");
  }
  SECTION("asked, and no answer yet") {
    world.ask_insert(kFarJoiner, 1, token);
    answer();
    check_both(world, "J-S18", "J-S20");
  }
  SECTION("an earlier life was refused") {
    world.ask_insert(kFarJoiner, 1, token);
    world.transaction(2, {{1, token, RegistryCode::already_exists, 0}});
    refused();
    world.crash(kFarJoiner);
    world.restart(kFarJoiner);
    world.ask_join(kFarDispatcher, kFarJoiner, 1, 1);
    answer();
    check_only(world, "J-S18");
  }
  SECTION("it was refused before this request came") {
    world.ask_insert(kFarJoiner, 1, token);
    world.transaction(2, {{1, token, RegistryCode::already_exists, 0}});
    refused();
    answer();
    world.ask_join(kFarDispatcher, kFarJoiner, 1, 2);
    world.answer_join(kFarJoiner, kFarDispatcher, 1, 2, JoinOutcome::already_exists);
    check_only(world, "J-S18");
  }
  SECTION("a success for a request that was never delivered") {
    world.answer_join(kFarJoiner, kFarDispatcher, 1, 77, JoinOutcome::joined);
    check_only(world, "J-S18");
  }
}

TEST_CASE("J-S18 an answer from before a click was brought back does not finish it again") {
  World world;
  prepare(world);
  world.join(1, 1);
  world.stored(NodeId{13}, ClickReinjected{click_id(1), 1, 50, 9});
  SECTION("no answer since") {
    world.done(kDispatcher, 1, DoneReason::joined);
    check_only(world, "J-S18");
  }
  SECTION("another answer since") {
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    world.done(kDispatcher, 1, DoneReason::joined);
    check_only(world, "J-S18");
  }
  SECTION("the same answer since") {
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    world.done(kDispatcher, 1, DoneReason::lookup_exists);
    check_only(world, "J-S18", 0);
  }
}

TEST_CASE("J-S18 exists, skipped and too old need their evidence") {
  World world;
  prepare(world);
  SECTION("already exists, but no joiner has it (M-08)") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::already_exists);
    CHECK(world.count("J-S18") == 2);  // no joiner has it, and no attempt received that answer
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
}

TEST_CASE("J-S18 too old needs the age, the boundary and the answer") {
  World world;
  prepare(world);
  const Token token = world.token(kJoiner, 1);
  const auto refuse = [&] {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.ask_insert(kJoiner, 1, token);
    world.transaction(2, {{1, token, RegistryCode::too_old, 0}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 2, RegistryCode::too_old);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::too_old);
    world.done(kDispatcher, 1, DoneReason::too_old);
  };
  SECTION("inside N") {
    refuse();
    CHECK(world.count("J-S18") == 2);  // the joiner's report and the dispatcher's
  }
  SECTION("beyond N, but no boundary has passed it") {
    world.wait(2h);
    refuse();
    CHECK(world.count("J-S18") == 2);
  }
  SECTION("beyond N and below the boundary, but the joiner never asked") {
    world.wait(2h);
    world.move_boundary(1, 3);
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::too_old);
    check_only(world, "J-S18");
  }
  SECTION("all three: valid") {
    world.wait(2h);
    world.lease(kReplica1, 0x101, 10min);
    world.move_boundary(1, 3);
    refuse();
    check_only(world, "J-S18", 0);
  }
}

}  // namespace photon::analysis::testing
