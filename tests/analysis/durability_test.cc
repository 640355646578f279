// J-S14: what a dispatcher has on disk covers every click that it passed; J-P0: it does not keep
// there for ever what it has finished.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

TEST_CASE("J-S14 a persisted offset covers only what is finished or saved") {
  World world;
  prepare(world, 3);
  world.join(1, 1);
  SECTION("an unfinished click is covered (M-28)") {
    world.emit(Source::durable, kDispatcher, OffsetSaved{200, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("finished at the other pipeline does not help") {
    world.emit(Source::durable, kFarDispatcher, OffsetSaved{100, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("saved but not durable") {
    world.emit(Source::issued, kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1});
    world.emit(Source::durable, kDispatcher, OffsetSaved{200, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("saved, covered, then removed without a success (M-29)") {
    world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1});
    world.emit(Source::durable, kDispatcher, OffsetSaved{200, kClickFile});
    CHECK(world.total() == 0);
    world.stored(kDispatcher, RetryRemoved{click_id(2)});
    check_only(world, "J-S14");
  }
  SECTION("healthy: offset up to the saved one, a regress, an offset inside a record") {
    world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1});
    for (const std::uint64_t offset : {200ULL, 100ULL, 299ULL}) {
      world.emit(Source::durable, kDispatcher, OffsetSaved{offset, kClickFile});
    }
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S14 a rewritten journal holds every unfinished click that it covers") {
  World world;
  prepare(world, 3);
  world.join(1, 1);
  for (const std::uint32_t i : {2U, 3U}) {
    world.stored(kDispatcher, RetrySaved{click_id(i), LocalTime{}, 1});
  }
  world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile});
  const auto rewrite = [&](std::initializer_list<std::uint32_t> clicks, std::uint64_t offset) {
    world.emit(Source::durable, kDispatcher, JournalReplaced{1});
    for (const std::uint32_t i : clicks) {
      world.emit(Source::durable, kDispatcher, RetrySaved{click_id(i), LocalTime{}, 1});
    }
    if (offset > 0) world.emit(Source::durable, kDispatcher, OffsetSaved{offset, kClickFile});
    world.emit(Source::durable, kDispatcher, JournalRestated{1});
  };
  SECTION("one of two is left out (P-13)") {
    rewrite({2}, 300);
    check_only(world, "J-S14");
    rewrite({2}, 300);  // said once
    CHECK(world.total() == 1);
  }
  SECTION("both") {
    rewrite({}, 300);
    check_only(world, "J-S14", 2);
  }
  SECTION("issued is not yet durable") {
    world.emit(Source::issued, kDispatcher, JournalReplaced{0});
    world.emit(Source::issued, kDispatcher, JournalRestated{0});
    CHECK(world.total() == 0);
    rewrite({2, 3}, 300);
    CHECK(world.total() == 0);
  }
  SECTION("the journal of another dispatcher says nothing about this one") {
    world.emit(Source::durable, kFarDispatcher, JournalReplaced{0});
    world.emit(Source::durable, kFarDispatcher, JournalRestated{0});
    CHECK(world.total() == 0);
  }
  SECTION("a lower offset makes it read again; covered again, it must be saved again") {
    rewrite({2}, 200);
    INFO(world.findings());
    CHECK(world.total() == 0);
    world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("an empty journal covers nothing") {
    rewrite({}, 0);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("what is finished may be left out") {
    world.move_boundary(2, 3);
    world.answer_lookup(kReplica1, kDispatcher, 2, 2, RegistryCode::too_old);
    CHECK(world.judge.open_clicks() == 3);
    rewrite({3}, 300);
    CHECK(world.count("J-S14") == 0);
  }
}

TEST_CASE(
    "J-P0 a finished click that stays in the retry store keeps the run from its rest (M-26)") {
  World world;
  prepare(world, 1);
  world.stored(kFarDispatcher, RetrySaved{click_id(1), LocalTime{}, 1});
  world.join(1, 1);
  CHECK(world.judge.open_clicks() == 0);
  world.learn(1, 1);
  CHECK(world.judge.open_clicks() == 1);
  SECTION("never removed") {
    world.wait(31s);
    world.quiesce();
    world.judge.finish();
    check_only(world, "J-P0");
  }
  SECTION("told a moment ago") {
    world.quiesce();
    world.judge.finish();
    CHECK(world.total() == 0);
  }
  SECTION("removed") {
    world.stored(kFarDispatcher, RetryRemoved{click_id(1)});
    CHECK(world.judge.open_clicks() == 0);
    world.wait(31s);
    world.quiesce();
    world.judge.finish();
    CHECK(world.total() == 0);
  }
}

}  // namespace photon::analysis::testing
