// Costs of joiner ends, in handmade traces: the tally per crash, graceful stops, repetitions
// without tokens, caps per shard, and the latencies at the output.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

void finish(World& world) {
  world.quiesce();
  world.judge.finish();
  INFO(world.findings());
  CHECK(world.judge.accounting().adds_up());
}

// Clicks 1 to `count` are registered by the joiner and have their OK.
void register_all(World& world, std::uint32_t count) {
  for (std::uint32_t i = 1; i <= count; ++i) {
    const Token token = world.token(kJoiner, i);
    world.read(kDispatcher, i);
    world.ask_join(kDispatcher, kJoiner, i, i);
    world.ask_insert(kJoiner, i, token);
    world.transaction(i, {{i, token}});
    world.answer_insert(kReplica1, kJoiner, i, token, i);
  }
}

// Both pipelines find the clicks registered; `slot`: the last one applied.
void learn_all(World& world, std::uint32_t count, std::uint64_t slot = 0) {
  for (std::uint32_t i = 1; i <= count; ++i) {
    for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
      world.answer_lookup(kReplica1, dispatcher, i, slot == 0 ? count : slot, RegistryCode::exists);
    }
  }
}

}  // namespace

TEST_CASE("D-15 D-20 each lost click is charged to the crash whose window held it") {
  JudgeConfig config = World::standard();
  config.joiner_window_bound = 3;
  World world(config);
  prepare(world, 5);
  register_all(world, 3);
  const Token first = world.token(kJoiner, 1);
  const Token second = world.token(kJoiner, 2);
  world.stored(kJoiner, world.output(1, first));
  world.emit(Source::issued, kJoiner, world.output(2, second));
  world.crash(kJoiner);
  SECTION("one record was in flight and has become durable after all") {
    // The volume names the writer, whose life is over.
    world.emit(Source::durable, kJoiner, world.output(2, second));
    learn_all(world, 3);
    for (std::uint32_t i = 4; i <= 5; ++i) world.join(i, i);
    finish(world);
    REQUIRE(world.judge.accounting().joiner_ends.size() >= 1);
    CHECK(world.judge.accounting().joiner_ends[0].end.window == 2);
    CHECK(world.judge.accounting().joiner_ends[0].lost == 1);
    CHECK(world.judge.accounting().joiner_ends[0].became_durable == 1);
  }
  SECTION("a registration that never takes effect is no loss") {
    world.restart(kJoiner);
    world.ask_join(kDispatcher, kJoiner, 4, 9);
    world.ask_insert(kJoiner, 4, world.token(kJoiner, 9));
    world.crash(kJoiner);
    learn_all(world, 3);
    world.join(4, 4);
    world.join(5, 5);
    finish(world);
    const auto& ends = world.judge.accounting().joiner_ends;
    REQUIRE(ends.size() == 2);
    CHECK(ends[1].end.window == 1);
    CHECK(ends[1].never_registered == 1);
    CHECK(ends[1].lost == 0);
  }
  SECTION("no effect: both are lost with that crash; the next one has its own") {
    world.restart(kJoiner);
    const Token third = world.token(kJoiner, 9);
    world.ask_join(kDispatcher, kJoiner, 4, 9);
    world.ask_insert(kJoiner, 4, third);
    world.transaction(4, {{4, third}});
    world.crash(kJoiner);
    learn_all(world, 4);
    finish(world);
    const auto& ends = world.judge.accounting().joiner_ends;
    REQUIRE(ends.size() == 2);
    CHECK(ends[0].lost == 2);
    CHECK(ends[1].lost == 1);
    CHECK(ends[1].end.life == Incarnation(2));
    CHECK(lost(world, LossClass::crash) == 3);
  }
  CHECK(world.count("J.2") == 0);
}

TEST_CASE("D-15 J-S12 J.2 a crash with more in its window than declared is reported") {
  JudgeConfig config = World::standard();
  config.joiner_window_bound = 1;
  World world(config);
  prepare(world, 2);
  register_all(world, 2);
  world.crash(kJoiner);
  learn_all(world, 2);
  finish(world);
  CHECK(world.count("J-S12") == 1);
  CHECK(world.count("J.2") == 1);
  CHECK_THAT(world.findings(), Catch::Contains("the declared bound is 1"));
}

TEST_CASE("D-23 J.2 a graceful stop with anything in the window is reported") {
  World world;
  prepare(world);
  const bool finished = GENERATE(true, false);
  register_all(world, 1);
  if (finished) world.stored(kJoiner, world.output(1, world.token(kJoiner, 1)));
  world.environment(kJoiner, ProcessCrashed{0, 1});
  learn_all(world, 1);
  finish(world);
  CHECK(world.count("J.2") == (finished ? 0 : 1));
  CHECK(world.judge.counters().processes_stopped == 1);
  CHECK(world.judge.counters().joiner_crashes == 0);
}

TEST_CASE("D-11 J-L1 a lost answer loses a click only where tokens are renewed") {
  const bool tokens = GENERATE(true, false);
  JudgeConfig config = World::standard();
  config.tokens = tokens;
  config.joiner_window_bound = 1;
  World world(config);
  prepare(world);
  const Token first = world.token(kJoiner, 1);
  const Token second = world.token(kJoiner, 2);
  world.read(kDispatcher, 1);
  world.ask_join(kDispatcher, kJoiner, 1, 1);
  world.ask_insert(kJoiner, 1, first);
  world.transaction(1, {{1, first}});
  world.ask_insert(kJoiner, 1, second);  // the answer was lost
  SECTION("the joiner receives \"already registered\", and drops the click") {
    for (const NodeId process : {kDispatcher, kFarDispatcher}) {
      world.answer_lookup(kReplica1, process, 1, 1, RegistryCode::exists);
    }
    if (!tokens) CHECK(world.judge.open_clicks() == 1);  // that answer, or a crash, may follow
    world.transaction(2, {{1, second, RegistryCode::already_exists, 0}});
    world.answer_insert(kReplica1, kJoiner, 1, second, 2, RegistryCode::already_exists);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::already_exists);
    learn_all(world, 1, 2);
    finish(world);
    CHECK(lost(world, LossClass::lost_reply) == (tokens ? 0 : 1));
    CAPTURE(tokens, world.findings());
    CHECK((world.total() == 0) == !tokens);
  }
  SECTION("\"registered\" arrived too late: the retry is too old by then") {
    const bool answered = GENERATE(true, false);
    if (tokens) return;
    const Token third = world.token(kJoiner, 3);
    world.transaction(2, {{1, second, RegistryCode::already_exists, 0}});
    if (answered) {
      world.answer_insert(kReplica1, kJoiner, 1, second, 2, RegistryCode::already_exists);
    }
    world.ask_join(kDispatcher, kJoiner, 1, 2);
    world.ask_insert(kJoiner, 1, third);
    world.transaction(3, {{1, third, RegistryCode::too_old, 0}});
    world.answer_insert(kReplica1, kJoiner, 1, third, 3, RegistryCode::too_old);
    learn_all(world, 1, 3);
    finish(world);
    CHECK(lost(world, answered ? LossClass::lost_reply : LossClass::crossed_n) == 1);
    CHECK(lost(world, LossClass::unclassified) == 0);
  }
  SECTION("its joiner crashes before that answer: that is L-crash") {
    world.crash(kJoiner);
    learn_all(world, 1);
    finish(world);
    CHECK(lost(world, LossClass::crash) == 1);
    if (tokens) return;
    CHECK(world.total() == 0);
    CHECK(world.judge.accounting().joiner_ends[0].lost == 1);
    CHECK(world.judge.accounting().joiner_ends[0].end.window == 1);
  }
}

TEST_CASE("D-22 J-S12 registrations of one shard above the cap for a shard") {
  JudgeConfig config = World::standard();
  config.joiner_max_outstanding_per_shard = 2;
  World world(config);
  prepare(world, 4);
  for (std::uint32_t i = 1; i <= 2; ++i) world.ask_insert(kJoiner, i, world.token(kJoiner, i));
  world.ask_insert(kJoiner, 1, world.token(kJoiner, 1), 7);  // a repetition
  CHECK(world.count("J-S12") == 0);
  SECTION("a third of the same shard") {
    world.ask_insert(kJoiner, 3, world.token(kJoiner, 3));
    CHECK(world.count("J-S12") == 1);
  }
  SECTION("a third of another shard") {
    world.sent(kJoiner, kReplica1,
               RegistryAsk{click_id(3), world.token(kJoiner, 3), 1, RegistryOperation::insert,
                           ShardId{1}});
    CHECK(world.count("J-S12") == 0);
  }
}

TEST_CASE(
    "D-21 the joiner's own latency may be negative; true latency, at the joiner and later, is "
    "not") {
  World world;
  prepare(world);
  register_all(world, 1);
  world.clock_error = -10s;  // the joiner's clock lags that of the click's server
  world.stored(kJoiner, world.output(1, world.token(kJoiner, 1)));
  const LatencyCollector& latency = world.judge.latency();
  REQUIRE(latency.biased().count() == 1);
  CHECK(latency.biased().max() < Duration(0));
  CHECK(latency.at_output().min() > Duration(0));
  // The stamp is exact here: the two differ by the clock's error only.
  const Click& click = world.judge.evidence().join().click(0);
  const Duration generated_late =
      Duration(nanoseconds_of(click.generated_at) - nanoseconds_of(click.id.stamp));
  CHECK(latency.biased().max() == latency.at_output().max() + generated_late - 10s);
  CHECK(latency.total().max() == latency.at_output().max() + 1ms);
  // A repeated append of the same record is the same output.
  world.emit(Source::issued, kJoiner, world.output(1, world.token(kJoiner, 1)));
  CHECK(latency.at_output().count() == 1);
}

}  // namespace photon::analysis::testing
