// J-P3 and J-P6: a backlog that does not decrease, a retry that is postponed.
#include "analysis/trace_files/trace_check.h"
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

JudgeConfig watched() {
  JudgeConfig config = World::standard();
  config.clock_epsilon = 1ms;
  config.retry_time_limit = 10s;
  config.retry_turn = 1s;
  config.retry_after = {0s, 5s, 20s};   // after the first try, and after all later ones
  config.dispatch_rate_milli = 20'000;  // 20 a second
  return config;
}

void look_up(World& world, NodeId dispatcher, std::uint32_t click) {
  RegistryAsk ask{};
  ask.id = click_id(click);
  ask.operation = RegistryOperation::lookup;
  world.sent(dispatcher, kReplica1, ask);
}

LocalTime due_in(const World& world, Duration wait) {
  return from_nanoseconds<LocalTime>(nanoseconds_of(world.now) + wait.count());
}

}  // namespace

TEST_CASE("C-32 J-P6 no obligation for clicks that an operator's reset has dropped") {
  World world(watched());
  prepare(world, 3);
  look_up(world, kDispatcher, 1);
  world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 5s), 1});
  world.emit(Source::durable, kDispatcher, JournalReplaced{1});
  world.emit(Source::durable, kDispatcher, JournalRestated{1});
  world.wait(60s);
  look_up(world, kDispatcher, 2);
  CHECK(world.count("J-P6") == 0);
}

TEST_CASE("J-P6 a click that is due is tried again within the bound of the configuration") {
  World world(watched());
  prepare(world, 3);
  look_up(world, kDispatcher, 1);
  world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 5s), 1});
  SECTION("in time") {
    world.wait(14s);
    look_up(world, kDispatcher, 1);
    world.wait(30s);
    look_up(world, kFarDispatcher, 2);
    CHECK(world.total() == 0);
    CHECK(world.judge.obligations("J-P6") == 1);
  }
  SECTION("never, while fresh clicks proceed") {
    world.wait(15s);
    look_up(world, kDispatcher, 2);
    CHECK(world.total() == 0);  // one click in the store: 5 s and 11 s
    world.wait(2s);
    look_up(world, kDispatcher, 3);
    check_only(world, "J-P6");
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
  }
  SECTION("each click that may be due earlier has its turn") {
    for (const std::uint32_t click : {2U, 3U, 2U, 3U}) {  // each tried twice
      look_up(world, kDispatcher, click);
      world.wait(1ms);
      world.stored(kDispatcher, RetrySaved{click_id(click), due_in(world, 40s), 1});
    }
    world.wait(17s);
    look_up(world, kFarDispatcher, 2);
    CHECK(world.total() == 0);
    world.wait(2s);
    look_up(world, kFarDispatcher, 3);
    check_only(world, "J-P6");
  }
  SECTION("the journal is rewritten meanwhile: it is no less late") {
    const LocalTime due = due_in(world, 1s);
    world.stored(kDispatcher, RetrySaved{click_id(1), due, 2});
    world.wait(11s);
    world.emit(Source::durable, kDispatcher, JournalReplaced{1});
    world.emit(Source::durable, kDispatcher, RetrySaved{click_id(1), due, 2});
    world.emit(Source::durable, kDispatcher, JournalRestated{1});
    world.wait(2s);
    look_up(world, kDispatcher, 2);
    check_only(world, "J-P6");
  }
  SECTION("a crash suspends the obligation, until the bound has passed after it") {
    world.wait(4s);
    world.crash(kDispatcher);
    world.wait(60s);
    look_up(world, kFarDispatcher, 2);
    CHECK(world.total() == 0);
    world.restart(kDispatcher);
    world.wait(10s);
    look_up(world, kFarDispatcher, 3);
    CHECK(world.total() == 0);
    world.wait(2s);
    look_up(world, kFarDispatcher, 1);
    check_only(world, "J-P6");
  }
  SECTION("removed") {
    world.learn(1, 1);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    world.stored(kDispatcher, RetryRemoved{click_id(1)});
    world.wait(60s);
    look_up(world, kFarDispatcher, 2);
    CHECK(world.count("J-P6") == 0);
  }
}

TEST_CASE("J-P6 the dispatcher's own report of when a click is due is not trusted") {
  World world(watched());
  prepare(world, 3);
  look_up(world, kDispatcher, 1);
  world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 60s), 1});
  const auto time_passes = [&] { look_up(world, kFarDispatcher, 2); };
  SECTION("the pause after one try") {
    world.wait(15s);  // 5 s of pause, 11 s with one click in the store
    time_passes();
    CHECK(world.total() == 0);
    world.wait(2s);
    time_passes();
    check_only(world, "J-P6");
    CHECK(world.judge.obligations("J-P6") == 1);
  }
  SECTION("after two tries") {
    world.wait(5s);
    look_up(world, kDispatcher, 1);
    world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 60s), 2});
    world.wait(30s);  // 20 s and 11 s
    time_passes();
    CHECK(world.total() == 0);
    world.wait(2s);
    time_passes();
    check_only(world, "J-P6");
  }
  SECTION("saved again and again, it is postponed no longer than after that number of tries") {
    for (int i = 0; i < 6; ++i) {
      world.wait(5s);
      world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 10s), 2});
      CHECK(world.total() == 0);
    }
    world.wait(2s);
    time_passes();
    check_only(world, "J-P6");
  }
  SECTION("it was tried, and no answer, no save and no next try followed") {
    world.wait(5s);
    look_up(world, kDispatcher, 1);
    world.wait(30s);
    time_passes();
    CHECK(world.total() == 0);
    world.wait(2s);
    time_passes();
    check_only(world, "J-P6");
  }
  SECTION("a fault suspends the obligation") {
    world.wait(4s);
    world.crash(kJoiner2);
    world.wait(60s);
    world.restart(kJoiner2);
    world.wait(10s);  // no pause is left
    time_passes();
    CHECK(world.total() == 0);
    world.wait(2s);
    time_passes();
    check_only(world, "J-P6");
  }
}

TEST_CASE("J-P6 a postponed click is reported once, until a dispatcher reaches it") {
  JudgeConfig config = watched();
  config.dispatch_rate_milli = 0;  // no backlog obligation here
  World world(config);
  prepare(world, 3);
  look_up(world, kDispatcher, 1);
  world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 5s), 1});
  const auto time_passes = [&](Duration time) {
    world.wait(time);
    look_up(world, kFarDispatcher, 2);
  };
  time_passes(17s);  // 5 s of pause, 11 s with one click in the store
  check_only(world, "J-P6");
  for (int i = 0; i < 3; ++i) {
    world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 5s), 1});
    time_passes(17s);
  }
  check_only(world, "J-P6");
  look_up(world, kDispatcher, 1);
  time_passes(30s);  // 20 s after two tries
  check_only(world, "J-P6");
  SECTION("and then again") {
    time_passes(2s);
    check_only(world, "J-P6", 2);
  }
  SECTION("in time, this time") {
    look_up(world, kDispatcher, 1);
    time_passes(30s);
    check_only(world, "J-P6");
  }
  SECTION("a new owner of the journal gets the full time again") {
    look_up(world, kDispatcher, 1);
    world.stored(kJoiner, RetrySaved{click_id(1), due_in(world, 20s), 1});
    time_passes(30s);
    check_only(world, "J-P6");
    time_passes(2s);
    check_only(world, "J-P6", 2);
  }
}

TEST_CASE("J-P6 a trace may state any times: sums saturate") {
  JudgeConfig config = watched();
  const int stated = GENERATE(0, 1, 2);
  if (stated != 1) config.retry_turn = TraceCheck::kFarthest;
  if (stated != 0) config.retry_time_limit = TraceCheck::kFarthest;
  if (stated == 2) config.retry_after = {TraceCheck::kFarthest};
  REQUIRE(fault_of(config) == std::nullopt);
  World world(config);
  prepare(world, 6);
  const auto far = from_nanoseconds<LocalTime>(TraceCheck::kFarthest.count());
  for (std::uint32_t click = 1; click <= 5; ++click) {
    look_up(world, kDispatcher, click);
    world.stored(kDispatcher, RetrySaved{click_id(click), far, 1});
  }
  for (int i = 0; i < 10; ++i) {
    world.wait(1h);
    look_up(world, kFarDispatcher, 6);
  }
  CHECK(world.count("J-P6") == 0);
}

TEST_CASE("J-P6 no obligation for a finished click, though storage confirms it late") {
  World world(watched());
  prepare(world, 3);
  world.learn(1, 1);
  world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
  world.stored(kDispatcher, RetrySaved{click_id(1), due_in(world, 1s), 2});
  world.wait(60s);
  look_up(world, kFarDispatcher, 2);
  CHECK(world.count("J-P6") == 0);
}

namespace {

// A backlog of 200 clicks at kDispatcher; the far pipeline asks for everything at once, so J-P3 has
// no obligation there. One window has passed, in which five clicks were reached.
struct Backlog {
  Backlog() {
    prepare(world, 200);
    for (std::uint32_t i = 1; i <= 200; ++i) look_up(world, kFarDispatcher, i);
    look_up(world, kDispatcher, 1);
    world.wait(11s);
    look_up(world, kDispatcher, 1);
    window(2, 5);
  }
  void window(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) look_up(world, kDispatcher, i);
    world.wait(11s);
    look_up(world, kDispatcher, 1);  // asked for already: no progress
  }

  World world{watched()};
};

}  // namespace

TEST_CASE("J-P3 a backlog that can be worked off decreases from window to window") {
  Backlog backlog;
  World& world = backlog.world;
  SECTION("it does") {
    backlog.window(7, 1);
    backlog.window(8, 100);
    INFO(world.findings());
    CHECK(world.total() == 0);
    CHECK(world.judge.obligations("J-P3") > 1);
    CHECK(world.judge.obligations("J-P6") == 0);  // nothing was due for a retry
  }
  SECTION("it does not") {
    backlog.window(1, 1);
    check_only(world, "J-P3");
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
  }
  SECTION("what cannot be read is no backlog") {
    const std::uint32_t first = GENERATE(7U, 100U);
    for (std::uint32_t i = first; i <= 200; ++i) {
      const std::uint64_t end = 100 * i;
      world.environment(kDispatcher, InputDamaged{click_id(i), end - 100, end, kClickFile, 0, 1});
    }
    backlog.window(1, 1);
    CHECK(world.total() == 0);
    backlog.window(1, 1);
    CHECK(world.count("J-P3") == (first == 7 ? 0 : 1));
  }
  SECTION("it does not: other clicks were brought back, and removed ones come first") {
    const std::uint64_t removed_at = GENERATE(0U, 2U);
    for (std::uint32_t i = 1; i <= 120; ++i) {
      world.stored(kDispatcher, ClickReinjected{click_id(i), removed_at, 50 * i, 9});
    }
    backlog.window(1, 1);
    CHECK(world.count("J-P3") == (removed_at == 0 ? 1 : 0));
    backlog.window(1, 1);
    backlog.window(1, 1);
    CHECK(world.count("J-P3") > (removed_at == 0 ? 1 : 0));  // for two windows, no longer
  }
  SECTION("with nothing left") {
    backlog.window(7, 194);
    backlog.window(1, 1);
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-P3 faults suspend the obligation") {
  Backlog backlog;
  World& world = backlog.world;
  SECTION("a fault in the window before") {
    world.crash(kJoiner2);
    world.restart(kJoiner2);
    backlog.window(1, 1);
    CHECK(world.total() == 0);
  }
  SECTION("what a truncation removed cannot be worked off until it is back") {
    world.ship(kDispatcher, kClickFile, 600);
    backlog.window(1, 1);
    backlog.window(1, 1);
    CHECK(world.total() == 0);
    world.ship(kDispatcher, kClickFile, 20'000);
    for (int i = 0; i < 3; ++i) backlog.window(1, 1);
    CHECK(world.count("J-P3") > 0);
  }
  SECTION("a file that grows after a truncation ended ends no other fault") {
    world.ship(kDispatcher, kClickFile, 600);
    world.ship(kDispatcher, kClickFile, 20'000);
    world.ship(kDispatcher, kClickFile, 20'100);
    world.crash(kJoiner2);
    world.ship(kDispatcher, kClickFile, 20'200);
    for (int i = 0; i < 3; ++i) backlog.window(1, 1);
    CHECK(world.total() == 0);
  }
}

}  // namespace photon::analysis::testing
