// The identity and every class of it that can occur.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

std::uint64_t never(const World& world, NeverJoinable reason) {
  return world.judge.accounting().never_joinable[static_cast<std::size_t>(reason)];
}

// Click 1 is registered by joiner 11; its OK is delivered if `ok`.
enum class Ok { delivered, lost };
Token registered(World& world, Ok ok) {
  const Token token = world.token(kJoiner, 1);
  world.read(kDispatcher, 1);
  world.ask_join(kDispatcher, kJoiner, 1, 1);
  world.ask_insert(kJoiner, 1, token);
  world.transaction(1, {{1, token}});
  if (ok == Ok::delivered) {
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
  } else {
    world.sent(kReplica1, kJoiner,
               RegistryAnswer{click_id(1), token, 1, 1, RegistryOperation::insert,
                              RegistryCode::inserted, ShardId{0}});
  }
  return token;
}

}  // namespace

TEST_CASE("D-20 J.2 L-crash: registered, and the joiner's life ends before its output is durable") {
  World world;
  prepare(world);
  const Token token = world.token(kJoiner, 1);
  SimTime crashed_at{};
  const auto crash = [&] {
    world.crash(kJoiner);
    crashed_at = world.now;
  };
  bool late = false;
  SECTION("between OK and output") {
    registered(world, Ok::delivered);
    crash();
  }
  SECTION("before the OK arrived") {
    registered(world, Ok::lost);
    crash();
  }
  SECTION("output issued, never durable") {
    registered(world, Ok::delivered);
    world.emit(Source::issued, kJoiner, world.output(1, token));
    crash();
  }
  SECTION("the insert is applied only after the crash") {
    late = true;
    world.ask_insert(kJoiner, 1, token);
    crash();
    world.transaction(1, {{1, token}});
  }
  world.restart(kJoiner);
  judge_at_end(world);
  CHECK(lost(world, LossClass::crash) == 1);
  CHECK(world.total() == 0);
  REQUIRE(world.judge.accounting().losses.size() == 1);
  const Loss& loss = world.judge.accounting().losses[0];
  CHECK(loss.click == click_id(1));
  CHECK(loss.cause == LossClass::crash);
  CHECK(loss.token == token);
  CHECK(loss.process == "process 11");
  CHECK(loss.life == Incarnation{1});  // not its present life
  CHECK(loss.crashed_at == crashed_at);
  CHECK((loss.registered_at > crashed_at) == late);
  CHECK(world.judge.counters().joiner_crashes <= 1);
}

TEST_CASE("J-P4 F-11 with verification a crash loses nothing, unless N left no time for recovery") {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  config.attempt_silence_bound = Duration{};
  World world(config);
  prepare(world);
  const Token token = registered(world, Ok::delivered);
  world.crash(kJoiner);
  SECTION("not brought back at the end") {
    world.restart(kJoiner);
    world.wait(30min);
    judge_at_end(world);
    check_only(world, "J-P4");
    CHECK(lost(world, LossClass::crash) == 1);
  }
  SECTION("the fault-free time before age N was long enough") {
    world.restart(kJoiner);
    world.wait(2h);
    judge_at_end(world);
    check_only(world, "J-P4");
    CHECK(lost(world, LossClass::crash) == 1);
  }
  SECTION("faults during all the time before age N") {
    world.wait(2h);
    world.restart(kJoiner);
    judge_at_end(world);
    CHECK(world.total() == 0);
    CHECK(lost(world, LossClass::crossed_n) == 1);
  }
  SECTION("the run was not healed: no obligation") {
    world.wait(30min);
    world.judge.finish();
    CHECK(world.total() == 0);
    CHECK(lost(world, LossClass::crash) == 1);
  }
  SECTION("brought back") {
    world.restart(kJoiner);
    for (const NodeId auditor : {NodeId{31}, NodeId{32}}) {
      world.sent(kDispatcher, auditor,
                 OutputAsk{click_id(1), 8, NodeId(token.address), token.incarnation, 0});
      world.delivered(auditor, kDispatcher, OutputAnswer{8, 0, Presence::absent, {}});
    }
    world.message(kDispatcher, kReplica1,
                  RegistryAsk{click_id(1), token, 9, RegistryOperation::remove, ShardId{0}});
    world.transaction(2, {{1, token, RegistryCode::removed, 1, RegistryOperation::remove}});
    CHECK(world.judge.evidence().join().open_clicks() > 0);  // a run does not end like this
    const Token next = world.token(kFarJoiner, 1);
    world.ask_insert(kFarJoiner, 1, next);
    world.transaction(3, {{1, next}});
    world.answer_insert(kReplica1, kFarJoiner, 1, next, 3);
    world.stored(kFarJoiner, world.output(1, next));
    judge_at_end(world);
    CHECK(world.total() == 0);
    CHECK(world.judge.accounting().joined == 1);
    CHECK(world.judge.recovery().removals() == 1);
    CHECK(world.judge.recovery().recovered() == 1);
  }
}

TEST_CASE("J-P4 a run waits for what verification will bring back, not for what it gave up") {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  World world(config);
  prepare(world);
  const Token token = registered(world, Ok::delivered);
  world.crash(kJoiner);
  const auto& open = world.judge.evidence().join();
  REQUIRE(open.open_clicks() == 1);
  SECTION("removed, and its return not yet written") {
    world.transaction(2, {{1, token, RegistryCode::removed, 1, RegistryOperation::remove}});
    CHECK(open.open_clicks() == 1);
    world.stored(kDispatcher, ClickReinjected{click_id(1), 2, 50, 9});
    CHECK(open.open_clicks() == 1);  // until a dispatcher receives its outcome
  }
  SECTION("given up") {
    for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
      world.ask_lookup(dispatcher, kReplica1, 1);
      world.reply_lookup(kReplica1, dispatcher, 1, 1, RegistryCode::exists);
    }
    CHECK(open.open_clicks() == 1);
    world.decide(kFarDispatcher, ClickVerified{click_id(1), Verified::too_old, 0});
    CHECK(open.open_clicks() == 0);
    world.quiesce();
    world.judge.finish();
    CHECK(world.count("J-P4") == 1);  // the verifier's report does not exempt it
  }
}

TEST_CASE("J.2 an output that becomes durable after the crash is no loss") {
  World world;
  prepare(world);
  const Token token = registered(world, Ok::delivered);
  world.emit(Source::issued, kJoiner, world.output(1, token));
  world.crash(kJoiner);
  world.emit(Source::durable, kJoiner, world.output(1, token));
  judge_at_end(world);
  CHECK(world.judge.accounting().joined == 1);
  CHECK(world.total() == 0);
}

TEST_CASE("J.2 J-L1 a loss without a crash is a violation") {
  World world;
  prepare(world);
  SECTION("a fresh token for the retry: its own registration looks foreign (M-11)") {
    registered(world, Ok::lost);
    world.ask_insert(kJoiner, 1, world.token(kJoiner, 2));
    world.wait(5min);
    world.lease(kReplica1, 0x101, 1min);
    SECTION("the joiner lives") { judge_at_end(world); }
    SECTION("the joiner dies long afterwards") {
      world.crash(kJoiner);
      judge_at_end(world);
    }
  }
  SECTION("the append's failure is ignored (M-18)") {
    const Token token = registered(world, Ok::delivered);
    world.emit(Source::issued, kJoiner, world.output(1, token));
    world.wait(5min);
    judge_at_end(world);
  }
  CHECK(lost(world, LossClass::unclassified) == 1);
  CHECK(world.count("J.2") == 1);
}

TEST_CASE("J.2 joinable, never registered, and both pipelines are done with it: a violation") {
  World world;
  prepare(world);
  for (const auto& [dispatcher, joiner] :
       {std::pair(kDispatcher, kJoiner), std::pair(kFarDispatcher, kFarJoiner)}) {
    world.ask_join(dispatcher, joiner, 1, 1);
    world.answer_join(joiner, dispatcher, 1, 1, JoinOutcome::unjoinable);
  }
  judge_at_end(world);
  CHECK(lost(world, LossClass::unclassified) == 1);
  CHECK(world.count("J.2") == 1);
}

TEST_CASE("J.2 L-crossedN: registered, but its retry was answered too_old") {
  World world;
  prepare(world);
  const Token token = registered(world, Ok::lost);
  world.wait(2h);
  world.lease(kReplica1, 0x101, 1min);
  world.ask_insert(kJoiner, 1, token);
  world.move_boundary(2, 2);
  world.transaction(3, {{1, token, RegistryCode::too_old, 0}});
  world.answer_insert(kReplica1, kJoiner, 1, token, 3, RegistryCode::too_old);
  judge_at_end(world);
  CHECK(lost(world, LossClass::crossed_n) == 1);
  CHECK(world.total() == 0);
}

TEST_CASE("C-32 J.2 L-operator: skipped by an operator, and joined by no other pipeline") {
  constexpr NodeId kOperator{30};
  JudgeConfig config = World::standard();
  config.state_operators = {kOperator, kFarDispatcher};
  World world(config);
  prepare(world, 1);
  const auto begin_anew = [&](NodeId process) {
    world.emit(Source::durable, process, RangeSkipped{100, kClickFile});
    world.emit(Source::durable, process, OffsetSaved{100, kClickFile});
  };
  begin_anew(kOperator);
  CHECK(world.judge.open_clicks() == 1);
  SECTION("by both pipelines") {
    begin_anew(kFarDispatcher);
    CHECK(world.judge.open_clicks() == 0);
    judge_at_end(world);
    CHECK(lost(world, LossClass::operator_skip) == 1);
    CHECK(world.total() == 0);
    const Loss& loss = world.judge.accounting().losses.at(0);
    CHECK(loss.evidence.find("ends at 100 of file 7") != std::string::npos);
  }
  SECTION("by both; brought back later, and too old when a dispatcher reached it") {
    begin_anew(kFarDispatcher);
    world.stored(NodeId(13), ClickReinjected{click_id(1), 1, 50, 9});
    world.wait(1h);
    world.lease(kReplica1, 0x101, 10min);
    find_too_old(world);
    judge_at_end(world);
    CHECK(lost(world, LossClass::operator_skip) == 1);
    CHECK(world.count("J.2") == 0);
  }
  SECTION("the other pipeline has not reached it yet: not lost") {
    judge_at_end(world);
    CHECK(lost(world, LossClass::operator_skip) == 0);
    CHECK(world.judge.accounting().pending == 1);
  }
  SECTION("the other pipeline finished it without a reason: no class") {
    world.message(kFarJoiner, kFarDispatcher, JoinAnswer{click_id(1), 1, JoinOutcome::unjoinable});
    judge_at_end(world);
    CHECK(lost(world, LossClass::operator_skip) == 0);
    CHECK(lost(world, LossClass::unclassified) == 1);
  }
}

TEST_CASE("J-P0 not quiescent while a click's owner works, whatever the pipelines were answered") {
  World world;
  prepare(world);
  const Token token = registered(world, Ok::lost);
  for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
    world.answer_lookup(kReplica1, dispatcher, 1, 1, RegistryCode::exists);
  }
  CHECK(world.judge.open_clicks() == 1);
  SECTION("until its output is durable") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    CHECK(world.judge.open_clicks() == 1);
    world.stored(kJoiner, world.output(1, token));
  }
  SECTION("until its life ends") { world.crash(kJoiner); }
  CHECK(world.judge.open_clicks() == 0);
  judge_at_end(world);
  CHECK(world.total() == 0);
}

TEST_CASE("J-P0 an insert that takes effect after both pipelines gave the click up") {
  World world;
  prepare(world);
  const Token token = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
    world.ask_join(dispatcher, kJoiner2, 1, 1);
    world.answer_join(kJoiner2, dispatcher, 1, 1, JoinOutcome::unjoinable);
  }
  CHECK(world.judge.open_clicks() == 0);
  world.transaction(1, {{1, token}});
  CHECK(world.judge.open_clicks() == 1);
  world.answer_insert(kReplica1, kJoiner, 1, token, 1);
  world.stored(kJoiner, world.output(1, token));
  CHECK(world.judge.open_clicks() == 0);
}

TEST_CASE("J-P0 a joinable click that stays pending is stuck, with its stage") {
  World world;
  prepare(world);
  world.read(kDispatcher, 1);
  SECTION("liveness is checked after the faults ended") {
    judge_at_end(world);
    CHECK(world.count("J-P0") == 1);
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
    CHECK(world.judge.violations().total(Severity::safety) == 0);
    CHECK_THAT(world.findings(), Catch::Contains("datacenter 0: read"));
  }
  SECTION("a trace that ends earlier leaves it pending") {
    world.judge.finish();
    CHECK(world.total() == 0);
  }
  CHECK(world.judge.accounting().pending == 1);
  CHECK(world.judge.accounting().joinable == 1);
}

TEST_CASE("J.2 a click without a query, or whose query never comes, is unjoinable") {
  World world;
  world.boot();
  const bool null_query = GENERATE(true, false);
  const EventId query = null_query ? EventId{} : query_id(1);
  world.environment(kNoNode, ClickGenerated{click_id(1), query, 100, 0, 0, kClickFile,
                                            ClickGenerated::kNoFile, 0});
  world.ship(kDispatcher, kClickFile, 100);
  SECTION("no dispatcher has declared it yet") {
    world.judge.finish();
    CHECK(world.judge.accounting().pending == 1);
    CHECK(world.judge.accounting().joinable == 0);
    CHECK(world.count("J-P0") == 0);
  }
  SECTION("no dispatcher declares it, however long it waits: stuck (M-26)") {
    judge_at_end(world);
    CHECK(world.judge.accounting().pending == 1);
    CHECK(world.judge.accounting().joinable == 0);
    CHECK(world.count("J-P0") == 1);
    CHECK_THAT(world.findings(), Catch::Contains("never joinable"));
  }
  SECTION("declared") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::unjoinable);
    judge_at_end(world);
    CHECK(never(world, NeverJoinable::unjoinable) == 1);
  }
}

TEST_CASE("J.2 readable only after the legitimate unjoinable time: unjoinable or borderline") {
  World world;
  world.boot();
  world.generate(1);
  world.ship(kDispatcher, kClickFile, 100);
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (i == 2) world.wait(11s);
    world.ask_join(kDispatcher, kJoiner, 1, i + 1, i);
    world.miss(kJoiner, 1);
    const JoinOutcome outcome = i < 2 ? JoinOutcome::query_not_found : JoinOutcome::unjoinable;
    world.answer_join(kJoiner, kDispatcher, 1, i + 1, outcome);
  }
  SECTION("long after") {
    world.wait(5s);
    world.ship(kDispatcher, kQueryFile, 100);
    judge_at_end(world);
    CHECK(never(world, NeverJoinable::unjoinable) == 1);
    CHECK(world.judge.accounting().joinable == 0);
  }
  SECTION("close to that time (slack)") {
    world.ship(kDispatcher, kQueryFile, 100);
    judge_at_end(world);
    CHECK(world.judge.accounting().borderline == 1);
  }
  CHECK(world.total() == 0);
}

TEST_CASE("J.2 the unjoinable time may lie between a request and its miss") {
  const bool missed = GENERATE(true, false);
  World world;
  world.boot();
  world.generate(1);
  world.ship(kDispatcher, kClickFile, 100);
  for (std::uint32_t i = 0; i < 3; ++i) {
    world.ask_join(kDispatcher, kJoiner, 1, i + 1, i);
    if (i == 2) world.wait(11s);  // the click reaches its age during this look-up
    if (i < 2 || missed) world.miss(kJoiner, 1);
    const JoinOutcome outcome = i < 2 ? JoinOutcome::query_not_found : JoinOutcome::unjoinable;
    world.answer_join(kJoiner, kDispatcher, 1, i + 1, outcome);
    if (i < 2) continue;
    world.wait(5s);
    world.ship(kDispatcher, kQueryFile, 100);
    judge_at_end(world);
    // Without a miss of this attempt the time is not legitimate: the click was joinable.
    CHECK(never(world, NeverJoinable::unjoinable) == (missed ? 1 : 0));
    CHECK(world.count("J.2") + world.count("J-P0") == (missed ? 0 : 1));
  }
}

TEST_CASE("J.2 readable only after N: too old; skipped by the reference adapter: skipped") {
  World world;
  world.boot();
  SECTION("too old") {
    world.generate(1);
    world.wait(2h);
    world.ship_all(1);
    world.lease(kReplica1, 0x101, 10min);
    world.move_boundary(1, 3);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::too_old);
    judge_at_end(world);
    CHECK(never(world, NeverJoinable::too_old) == 1);
  }
  SECTION("skipped") {
    world.environment(kNoNode, ClickGenerated{click_id(1), query_id(1), 100, 100, joined_hash(1),
                                              kClickFile, kQueryFile, 1});
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::skipped);
    judge_at_end(world);
    CHECK(never(world, NeverJoinable::skipped) == 1);
  }
  CHECK(world.total() == 0);
}

TEST_CASE("counters: lost replies after effect, wasted joins, transactions, elections") {
  World world;
  prepare(world);
  const Token token = registered(world, Ok::lost);
  world.ask_insert(kJoiner, 1, token);  // asks again: the first OK was lost
  world.transaction(2, {{1, token, RegistryCode::inserted, 0},
                        {1, world.token(kFarJoiner, 1), RegistryCode::already_exists, 0}});
  world.ask_insert(kFarJoiner, 1, world.token(kFarJoiner, 1));
  world.answer_insert(kReplica1, kFarJoiner, 1, world.token(kFarJoiner, 1), 2,
                      RegistryCode::already_exists);
  world.answer_insert(kReplica1, kJoiner, 1, token, 2);
  world.environment(kNoNode, FaultEffect{4});
  world.environment(kNoNode, FaultEffect{4});
  world.judge.finish();
  const Counters& counters = world.judge.counters();
  CHECK(counters.lost_replies_after_effect == 1);
  CHECK(counters.wasted_joins == 1);
  CHECK(counters.transactions == 2);
  CHECK(counters.operations == 3);
  CHECK(counters.insert_attempts == 2);
  CHECK(counters.insert_requests == 3);
  CHECK(counters.elections == 1);
  CHECK(counters.failovers == 0);
  CHECK(counters.faults_effective.size() == 1);
  CHECK(world.total() == 0);
}

TEST_CASE("latency: stages add up to the total; the biased figure follows the joiner's clock") {
  World world;
  world.clock_error = -50ms;
  prepare(world);
  world.join(1, 1);
  const LatencyCollector& latency = world.judge.latency();
  double sum = 0;
  for (std::size_t i = 0; i + 1 < kStages; ++i) {
    CHECK(latency.stage(static_cast<Stage>(i)).count() == 1);
    sum += latency.stage(static_cast<Stage>(i)).mean_nanoseconds();
  }
  CHECK(sum == Approx(latency.total().mean_nanoseconds()));
  const Click& click = world.judge.evidence().join().click(0);
  CHECK(latency.total().max() == click.joined_at - click.generated_at);
  // Issued one record before durable; the stamp is 1 ms.
  CHECK(latency.biased().max() == Duration(nanoseconds_of(click.joined_at)) - 1ms - 50ms - 1ms);
  CHECK(latency.stage(Stage::scan).max() > Duration(0));
}

}  // namespace photon::analysis::testing
