// Obligations of a healed run beyond finishing each click: recovery by verification, and the copies
// of output.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

struct Ended : World {
  using World::World;
  void finish() {
    quiesce();
    judge.finish();
  }
};

}  // namespace

TEST_CASE("F-08 J-P4 with verification, clicks that an operator skipped are brought back") {
  constexpr NodeId kOperator{30};
  JudgeConfig config = World::standard();
  config.state_operators = {kOperator, kFarDispatcher};
  config.recovery_bound = 5min;
  Ended world(config);
  prepare(world, 1);
  for (const NodeId process : {kOperator, kFarDispatcher}) {
    world.emit(Source::durable, process, RangeSkipped{100, kClickFile});
    world.emit(Source::durable, process, OffsetSaved{100, kClickFile});
  }
  CHECK(world.judge.open_clicks() == 1);
  SECTION("not brought back") {
    world.finish();
    CHECK(world.count("J-P4") == 1);
    CHECK(world.judge.accounting().lost[static_cast<std::size_t>(LossClass::operator_skip)] == 1);
  }
  SECTION("an unregistered click is not exempt") {
    world.decide(kFarDispatcher, ClickVerified{click_id(1), Verified::unregistered, 0});
    CHECK(world.judge.open_clicks() == 1);
    world.finish();
    CHECK(world.count("J-P4") == 1);
  }
  SECTION("a verifier's report does not exempt it either") {
    const Verified said =
        GENERATE(Verified::too_old, Verified::output_lost, Verified::indeterminate);
    world.decide(kFarDispatcher, ClickVerified{click_id(1), said, 0});
    world.finish();
    CHECK(world.count("J-P4") == 1);
  }
  SECTION("it was N old by then") {
    world.wait(2h);
    world.finish();
    CHECK(world.count("J-P4") == 0);
  }
}

TEST_CASE("C-32 F-08 a click brought back before an operator resets state is awaited again") {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  Ended world(config);
  prepare(world, 1);
  for (const NodeId process : {kDispatcher, kFarDispatcher}) {
    world.stored(process, ClickReinjected{click_id(1), 0, 50, 9});
    world.emit(Source::durable, process, RangeSkipped{100, kClickFile});
  }
  std::uint64_t request = 1;
  for (const NodeId process : {kDispatcher, kFarDispatcher}) {
    CHECK(world.judge.open_clicks() == 1);
    world.ask_join(process, kJoiner, 1, request);
    world.answer_join(kJoiner, process, 1, request++, JoinOutcome::skipped);
  }
  CHECK(world.judge.open_clicks() == 0);  // and no verifier brings it back again
}

TEST_CASE("F-08 C-32 a click brought back where its query is lost is awaited in another pipeline") {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  Ended world(config);
  prepare(world, 1);
  world.environment(kDispatcher, InputDamaged{query_id(1), 0, 100, kQueryFile, 1, 0});
  for (const NodeId process : {kDispatcher, kFarDispatcher}) {
    world.emit(Source::durable, process, RangeSkipped{100, kClickFile});
  }
  const bool anywhere = GENERATE(true, false);
  if (!anywhere)
    world.environment(kFarDispatcher, InputDamaged{query_id(1), 0, 100, kQueryFile, 1, 0});
  world.stored(kDispatcher, ClickReinjected{click_id(1), 0, 50, 9});
  world.ask_join(kDispatcher, kJoiner, 1, 1);
  world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::event_store_error);
  CHECK(world.judge.open_clicks() == (anywhere ? 1 : 0));
  if (!anywhere) return;
  world.stored(kFarDispatcher, ClickReinjected{click_id(1), 0, 50, 9});
  CHECK(world.judge.open_clicks() == 1);
  world.ask_join(kFarDispatcher, kJoiner2, 1, 2);
  world.answer_join(kJoiner2, kFarDispatcher, 1, 2, JoinOutcome::skipped);
  CHECK(world.judge.open_clicks() == 0);
}

TEST_CASE("J-P11 F-12 the token of a durable record is cleared, unless nothing left time for it") {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  Ended world(config);
  prepare(world, 2);
  world.join(1, 1);
  const Token owner = world.judge.evidence().join().click(0).joined_by;
  const auto clear = [&] {
    world.message(kDispatcher, kReplica1,
                  RegistryAsk{click_id(1), owner, 100, RegistryOperation::clear, ShardId{0}});
    world.transaction(2, {{1, owner, RegistryCode::cleared, 1, RegistryOperation::clear}});
  };
  const auto reported = [&] {
    world.finish();
    INFO(world.findings());
    return world.count("J-P11");
  };
  SECTION("the run ends as long after it as recovery may take, or a moment later") {
    const Duration moment = GENERATE(0ns, 1ns);
    const SimTime durable = world.judge.evidence().join().click(0).joined_at;
    world.wait(durable + 5min + moment - world.now - world.step);
    CHECK(reported() == (moment > 0ns ? 1 : 0));
  }
  SECTION("it is cleared") {
    clear();
    world.wait(1h);
    CHECK(reported() == 0);
  }
  SECTION("a fault at half time") {
    world.wait(3min);
    world.environment(kDispatcher, OutageBegan{0, 1});
    world.wait(1h);
    world.environment(kDispatcher, OutageEnded{0, 1});
    const bool enough = GENERATE(true, false);
    world.wait(enough ? 6min : 3min);
    CHECK(reported() == (enough ? 1 : 0));
  }
  SECTION("storage has lost the record") {
    world.environment(kJoiner, OutputLost{click_id(1), owner});
    world.wait(1h);
    CHECK(reported() == 0);
  }
  SECTION("the boundary has passed the id") {
    world.move_boundary(2, 2);
    world.wait(1h);
    CHECK(reported() == 0);
  }
  SECTION("its record was never durable") {
    clear();
    world.ask_insert(kJoiner, 2, world.token(kJoiner, 2));
    world.transaction(3, {{2, world.token(kJoiner, 2)}});
    world.wait(1h);
    CHECK(reported() == 0);
  }
}

TEST_CASE("J-P0 a finished click is not retried; one that was brought back is not finished") {
  Ended world;
  prepare(world, 1);
  for (const NodeId process : {kDispatcher, kFarDispatcher}) {
    world.emit(Source::durable, process, RangeSkipped{100, kClickFile});
  }
  const auto damaged = [&](NodeId place) {
    world.environment(place, InputDamaged{query_id(1), 0, 100, kQueryFile, 1, 0});
  };
  damaged(kDispatcher);
  damaged(kFarDispatcher);
  const auto retry = [&] {
    world.stored(kDispatcher, RetrySaved{click_id(1), LocalTime{}, 1});
    world.wait(1h);
    world.finish();
    return world.count("J-P0");
  };
  SECTION("it was not brought back") { CHECK(retry() == 1); }
  SECTION("it was, and its query cannot be read") {
    world.stored(kDispatcher, ClickReinjected{click_id(1), 0, 50, 9});
    CHECK(retry() == 0);
    CHECK(world.judge.open_clicks() == 0);
  }
}

TEST_CASE("D-08 J-P0 where output is copied, a joined record must reach every cell") {
  JudgeConfig config = World::standard();
  config.output_copies = true;
  Ended world(config);
  prepare(world);
  world.join(1, 1);
  world.learn(1, 1);
  const trace::OutputRecord record =
      world.output(1, world.judge.evidence().join().click(0).joined_by);
  CHECK(world.judge.open_clicks() == 1);
  SECTION("it does") {
    world.emit(Source::durable, kFarJoiner, record);
    CHECK(world.judge.open_clicks() == 0);
    world.finish();
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("it never does") {
    world.finish();
    CHECK(world.count("D-08") == 1);
  }
  SECTION("with other bytes (J-S15)") {
    trace::OutputRecord other = record;
    ++other.joined_hash;
    world.emit(Source::durable, kFarJoiner, other);
    CHECK(world.count("J-S15") == 1);
  }
  SECTION("the original was lost before") {
    world.environment(kJoiner, OutputLost{click_id(1), record.token});
    CHECK(world.judge.open_clicks() == 0);
    world.finish();
    CHECK(world.count("D-08") == 0);
  }
}

}  // namespace photon::analysis::testing
