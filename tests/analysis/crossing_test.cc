// L-crossedN: could a pipeline have reached the click before it was N old?
#include "analysis/trace_files/trace_check.h"
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

void check_crossed(World& world, LossClass expected) {
  judge_at_end(world);
  INFO(world.findings());
  CHECK(lost(world, LossClass::crossed_n) == (expected == LossClass::crossed_n ? 1 : 0));
  CHECK(lost(world, LossClass::unclassified) == (expected == LossClass::crossed_n ? 0 : 1));
  CHECK(world.count("J.2") == (expected == LossClass::crossed_n ? 0 : 1));
}

}  // namespace

TEST_CASE("C-34 J.2 L-crossedN: readable in time, and delayed by faults until it was too old") {
  World world;  // allowance: 10 minutes; N: one hour
  prepare(world);
  const auto fault = GENERATE(0, 1, 2, 3);
  const auto begin = [&] {
    if (fault == 1) world.environment(kDispatcher, OutageBegan{0, 1});
    if (fault == 2) world.environment(kNoNode, PartitionBegan{0, kHere, kFar});
    if (fault == 3) world.crash(kDispatcher);
  };
  const auto end = [&] {
    if (fault == 1) world.environment(kDispatcher, OutageEnded{0, 1});
    if (fault == 2) world.environment(kNoNode, PartitionHealed{0, kHere, kFar});
    if (fault == 3) world.restart(kDispatcher);
  };
  // So `fault_free` minutes of the hour remain after the allowance that follows a fault.
  const auto fault_free = GENERATE(9, 11);
  SECTION("a fault at the end") {
    world.wait(std::chrono::minutes(fault_free));
    begin();
    world.wait(1h);
    end();
  }
  SECTION("a fault at the beginning") {
    begin();
    world.wait(50min - std::chrono::minutes(fault_free));
    end();
    world.wait(1h);
  }
  world.lease(kReplica1, 0x101, 10min);
  find_too_old(world);
  check_crossed(world,
                fault == 0 || fault_free == 11 ? LossClass::unclassified : LossClass::crossed_n);
}

TEST_CASE("J-P6 J.2 a click overtaken by others of its log was not delayed by faults") {
  World world;
  prepare(world, 3);
  world.environment(kDispatcher, OutageBegan{0, 1});  // all the time: only the order counts
  const auto asked = GENERATE(0U, 1U, 2U, 3U);
  if (asked == 1) world.ask_lookup(kDispatcher, kReplica1, 1, 7);  // tried in time, without success
  // No joiner was reachable: saved for later.
  if (asked == 3) world.stored(kDispatcher, RetrySaved{click_id(1), LocalTime{}, 0});
  world.wait(10min);
  if (asked != 2) world.ask_lookup(kDispatcher, kReplica1, 2, 8);
  world.wait(1h);
  if (asked == 2) world.ask_lookup(kDispatcher, kReplica1, 2, 8);  // click 1 is too old by then
  world.lease(kReplica1, 0x101, 10min);
  find_too_old(world);
  world.judge.finish();
  INFO(world.findings());
  CHECK(world.count("J.2") == (asked == 0 ? 1 : 0));
  CHECK(lost(world, LossClass::crossed_n) == (asked == 0 ? 0 : 1));
}

TEST_CASE("J-P6 J.2 a pause as long as its number of tries allows is no delay; a longer one is") {
  JudgeConfig config = World::standard();  // N: one hour
  config.retry_after = {0min, 5min, 35min};
  World world(config);
  prepare(world, 1);
  world.wait(20min);
  const auto tries = GENERATE(1U, 2U);
  for (std::uint32_t i = 0; i < tries; ++i) {
    for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
      world.ask_lookup(dispatcher, kReplica1, 1, 7 + i);
      // Whatever is reported about its next try.
      world.stored(dispatcher, RetrySaved{click_id(1), LocalTime{2h}, i + 1});
    }
  }
  world.wait(50min);
  world.lease(kReplica1, 0x101, 10min);
  find_too_old(world);
  check_crossed(world, tries == 1 ? LossClass::unclassified : LossClass::crossed_n);
}

TEST_CASE("J.2 a trace may state any times: an unlimited allowance is valid") {
  JudgeConfig config = World::standard();
  const int stated = GENERATE(0, 1, 2);
  if (stated != 1) config.retry_turn = TraceCheck::kFarthest;
  if (stated != 0) config.dispatcher_time_limit = TraceCheck::kFarthest;
  if (stated == 2) config.retry_after = {TraceCheck::kFarthest};
  REQUIRE(fault_of(config) == std::nullopt);
  World world(config);
  prepare(world, 4);
  for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
    for (std::uint32_t click = 1; click <= 4; ++click) {
      world.ask_lookup(dispatcher, kReplica1, click, 10 + click);
      world.stored(dispatcher, RetrySaved{click_id(click), LocalTime{2h}, 1});
    }
  }
  world.wait(2h);
  world.lease(kReplica1, 0x101, 10min);
  find_too_old(world);
  check_crossed(world, LossClass::crossed_n);
}

TEST_CASE("J.2 a backlog explains a late turn, not a late next try") {
  World world;
  prepare(world, 2);
  const auto first = GENERATE(true, false);
  SECTION("the log's clicks are taken in their order") {
    // Click 1 precedes click 2 and was taken only now: the dispatcher is busy, not asleep.
    world.wait(55min);
    if (first) world.ask_lookup(kDispatcher, kReplica1, 1, 7);
    world.ask_join(kFarDispatcher, kFarJoiner, 1, 1);
    world.wait(10min);
    world.lease(kReplica1, 0x101, 10min);
    world.move_boundary(1, 9);
    for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
      world.answer_lookup(kReplica1, dispatcher, 2, 1, RegistryCode::too_old);
      world.answer_lookup(kReplica1, dispatcher, 1, 1, RegistryCode::too_old);
    }
    world.judge.finish();
    INFO(world.findings());
    // Click 2 waited for click 1. Click 1 waited for nothing: its sleep is reported once.
    CHECK(world.count("J.2") == (first ? 0 : 1));
  }
  SECTION("the last try") {
    const auto minutes = GENERATE(40, 55);
    world.wait(std::chrono::minutes(minutes));
    for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
      world.ask_lookup(dispatcher, kReplica1, 1, 7);
    }
    world.wait(30min);
    world.lease(kReplica1, 0x101, 10min);
    find_too_old(world);
    check_crossed(world, minutes == 40 ? LossClass::unclassified : LossClass::crossed_n);
  }
}

}  // namespace photon::analysis::testing
