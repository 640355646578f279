// What is demanded of a healed run besides that each click comes to its end: what verification has
// to bring back, and where copies have to be.
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

TEST_CASE(
    "F-08 J-P4 what an operator has passed over is brought back, where there is verification") {
  constexpr NodeId kOperator{30};
  JudgeConfig config = World::standard();
  config.state_operators = {kOperator, kFarDispatcher};
  config.recovery_bound = 5min;
  Ended world(config);
  prepare(world, 1);
  for (const NodeId who : {kOperator, kFarDispatcher}) {
    world.emit(Source::durable, who, RangeSkipped{100, kClickFile});
    world.emit(Source::durable, who, OffsetSaved{100, kClickFile});
  }
  CHECK(world.judge.open_clicks() == 1);
  SECTION("it has not been") {
    world.finish();
    CHECK(world.count("J-P4") == 1);
    CHECK(world.judge.accounting().lost[static_cast<std::size_t>(LossClass::operator_skip)] == 1);
  }
  SECTION("it was N old by then") {
    world.wait(2h);
    world.finish();
    CHECK(world.count("J-P4") == 0);
  }
}

TEST_CASE("D-08 J-P0 where output is copied, a joined record is to come into every cell") {
  JudgeConfig config = World::standard();
  config.output_copies = true;
  Ended world(config);
  prepare(world);
  world.join(1, 1);
  world.learn(1, 1);
  const trace::OutputRecord record = world.output(1, world.judge.evidence().click(0).joined_by);
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
