// J-S14: a dispatcher's durable state covers every click that it passed; J-P0: it does not keep
// finished clicks forever.
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
  SECTION("finished at the other pipeline does not count") {
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
  SECTION("of a log of which nothing could be read yet") {
    world.emit(Source::durable, kDispatcher, OffsetSaved{1, kClickFile + 100});
    check_only(world, "J-S14");
  }
  SECTION("beyond what could be read") {
    world.move_boundary(2, 4);
    for (const std::uint32_t i : {2U, 3U}) {
      world.answer_lookup(kReplica1, kDispatcher, i, 2, RegistryCode::too_old);
    }
    const std::uint64_t before = world.count("J-S14");
    world.emit(Source::durable, kDispatcher, OffsetSaved{301, kClickFile});
    CHECK(world.count("J-S14") == before + 1);
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
    rewrite({2}, 300);  // reported once
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
  SECTION("the journal of another dispatcher is irrelevant") {
    world.emit(Source::durable, kFarDispatcher, JournalReplaced{0});
    world.emit(Source::durable, kFarDispatcher, JournalRestated{0});
    CHECK(world.total() == 0);
  }
  SECTION("a lower offset makes the dispatcher read again; covered again, it must be saved again") {
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
    world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile});
    check_only(world, "J-S14", 2);  // and what is covered again must be saved again
  }
  SECTION("what is finished may be left out") {
    world.move_boundary(2, 3);
    world.answer_lookup(kReplica1, kDispatcher, 2, 2, RegistryCode::too_old);
    CHECK(world.judge.open_clicks() == 3);
    rewrite({3}, 300);
    CHECK(world.count("J-S14") == 0);
  }
}

// Click 1 was joined; the verifier brings it back in a file that this dispatcher reads.
struct BroughtBack {
  BroughtBack() {
    prepare(world, 2);
    world.join(1, 1);
    world.emit(Source::durable, kDispatcher, OffsetSaved{100, kClickFile});
    bring_back();
  }
  void bring_back() {
    end += 50;
    world.stored(kVerifier, ClickReinjected{click_id(1), 1, end, kReturns});
  }
  void pass() { world.emit(Source::durable, kDispatcher, OffsetSaved{end, kReturns}); }
  void save() { world.stored(kDispatcher, RetrySaved{click_id(1), LocalTime{}, 1}); }
  void drop() { world.stored(kDispatcher, RetryRemoved{click_id(1)}); }
  void answer_exists() { world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists); }
  void rewrite(std::initializer_list<std::uint64_t> offsets) {
    world.emit(Source::durable, kDispatcher, JournalReplaced{1});
    for (const std::uint64_t offset : offsets) {
      world.emit(Source::durable, kDispatcher, OffsetSaved{offset, kReturns});
    }
    world.emit(Source::durable, kDispatcher, JournalRestated{1});
  }
  static constexpr NodeId kVerifier{13};
  static constexpr std::uint32_t kReturns = 9;
  World world;
  std::uint64_t end = 0;
};

TEST_CASE("J-S14 a click that was brought back is finished or saved anew when it is passed") {
  BroughtBack scene;
  World& world = scene.world;
  SECTION("an answer from before does not count") {
    scene.pass();
    check_only(world, "J-S14");
  }
  SECTION("nor does an answer to another pipeline") {
    world.answer_lookup(kReplica1, kFarDispatcher, 1, 1, RegistryCode::exists);
    scene.pass();
    check_only(world, "J-S14");
  }
  SECTION("finished since") {
    scene.answer_exists();
    scene.pass();
    check_only(world, "J-S14", 0);
  }
  SECTION("finished, then brought back once more") {
    scene.answer_exists();
    scene.bring_back();
    world.emit(Source::durable, kDispatcher, OffsetSaved{50, scene.kReturns});
    check_only(world, "J-S14", 0);
    scene.pass();
    check_only(world, "J-S14");
  }
  SECTION("saved, and removed without an answer") {
    scene.save();
    scene.pass();
    CHECK(world.total() == 0);
    scene.drop();
    check_only(world, "J-S14");
  }
  SECTION("an entry from before its return is removed before the return is passed") {
    scene.save();
    scene.drop();
    scene.answer_exists();
    scene.pass();
    check_only(world, "J-S14", 0);
  }
  SECTION("another journal drops what it held for the click's log") {
    scene.save();
    scene.pass();
    world.stored(kDispatcher, RetryRemoved{click_id(1), 1});
    check_only(world, "J-S14", 0);
    scene.drop();
    check_only(world, "J-S14");
  }
  SECTION("saved, and left out of a rewritten journal that covers it") {
    scene.save();
    scene.pass();
    scene.rewrite({50});
    check_only(world, "J-S14");
  }
  SECTION("saved, and left out of a rewritten journal that restarts") {
    scene.save();
    scene.pass();
    scene.rewrite({});
    check_only(world, "J-S14", 0);
    scene.pass();
    check_only(world, "J-S14");
  }
}

TEST_CASE("C-06 J-S14 a journal keeps what it held when another worker rewrites it") {
  World world;
  prepare(world, 3);
  world.join(1, 1);
  world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1, 4});
  world.stored(kDispatcher, RetrySaved{click_id(3), LocalTime{}, 1, 5});
  world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile, 4});
  const auto rewrite = [&](NodeId worker, std::initializer_list<std::uint32_t> clicks) {
    world.emit(Source::durable, worker, JournalReplaced{1, 4});
    for (const std::uint32_t i : clicks) {
      world.emit(Source::durable, worker, RetrySaved{click_id(i), LocalTime{}, 1, 4});
    }
    world.emit(Source::durable, worker, OffsetSaved{300, kClickFile, 4});
    world.emit(Source::durable, worker, JournalRestated{1, 4});
  };
  SECTION("with it") {
    rewrite(kJoiner2, {2});
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("without it; the other journal does not count") {
    rewrite(kJoiner2, {});
    check_only(world, "J-S14", 1);
  }
  SECTION("what two journals hold is durable while one of them does, whichever is removed first") {
    world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1, 5});
    world.emit(Source::durable, kDispatcher, JournalReplaced{1, 5});
    world.emit(Source::durable, kDispatcher, RetrySaved{click_id(3), LocalTime{}, 1, 5});
    world.emit(Source::durable, kDispatcher, JournalRestated{1, 5});
    CHECK(world.total() == 0);
    rewrite(kJoiner2, {2});
    CHECK(world.total() == 0);
    rewrite(kJoiner2, {});
    check_only(world, "J-S14", 1);
  }
  SECTION("what another journal also holds is not missing in the first, nor removed by it") {
    world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1, 5});
    rewrite(kJoiner2, {});
    CHECK(world.total() == 0);
    world.emit(Source::durable, kDispatcher, JournalReplaced{1, 5});
    world.emit(Source::durable, kDispatcher, JournalRestated{1, 5});
    check_only(world, "J-S14", 2);  // click 3 as well
  }
}

TEST_CASE("C-32 J-S14 only an operator may skip unfinished clicks") {
  constexpr NodeId kOperator{30};
  JudgeConfig config = World::standard();
  config.state_operators = {kOperator};
  World world(config);
  prepare(world, 3);
  world.join(1, 1);
  world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1});
  const auto begin_anew = [&](NodeId process, std::uint64_t offset) {
    world.emit(Source::durable, process, JournalReplaced{1});
    world.emit(Source::durable, process, RangeSkipped{offset, kClickFile});
    world.emit(Source::durable, process, OffsetSaved{offset, kClickFile});
    world.emit(Source::durable, process, JournalRestated{1});
  };
  SECTION("the operator") {
    begin_anew(kOperator, 300);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("later clicks are covered by no journal") {
    begin_anew(kOperator, 200);
    world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("a dispatcher on its own") {
    begin_anew(kDispatcher, 300);
    check_only(world, "J-S14");
  }
}

TEST_CASE(
    "J-P0 a finished click that stays in the retry store keeps the run from draining (M-26)") {
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
  SECTION("answered a moment ago") {
    world.quiesce();
    world.judge.finish();
    CHECK(world.total() == 0);
  }
  SECTION("finished long ago, read and saved again: the time runs from then on") {
    world.stored(kFarDispatcher, RetryRemoved{click_id(1)});
    world.wait(31s);
    world.stored(kFarDispatcher, RetrySaved{click_id(1), LocalTime{}, 1});
    const bool stays = GENERATE(false, true);
    if (stays) world.wait(31s);
    world.quiesce();
    world.judge.finish();
    CHECK(world.count("J-P0") == (stays ? 1 : 0));
    CHECK(world.total() == (stays ? 1 : 0));
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
