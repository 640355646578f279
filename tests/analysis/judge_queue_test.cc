// A judge that is given records some at a time judges as one that is given each at once.
#include "analysis/judge/judge_queue.h"

#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

// Joined clicks; one of them twice, one by an unknown token, one unfinished.
struct Busy : World {
  Busy() {
    prepare(*this, 40);
    for (std::uint32_t n = 1; n <= 38; ++n) {
      join(n, n);
      learn(n, n);
    }
    stored(kJoiner, output(3, token(kJoiner, 3)));
    emit(Source::durable, kFarJoiner, output(39, token(kFarJoiner, 7)));
    environment(kNoNode, FaultEffect{});
  }
};

std::string verdict_of(const Judge& judge) {
  std::string text;
  for (const Violation& each : judge.violations().kept()) {
    text += each.oracle + ": " + each.message + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a judge finds the same in records together as in records one by one") {
  Busy world;
  world.judge.finish();
  const std::string expected = verdict_of(world.judge);
  REQUIRE(world.count("J-S1") == 1);
  REQUIRE(world.records.size() > 5 * Judge::kTogether);
  const auto compare = [&](Judge& judge) {
    judge.finish();
    CHECK(verdict_of(judge) == expected);
    CHECK(judge.records() == world.records.size());
    CHECK(judge.violations().total() == world.total());
    CHECK(judge.accounting().joined == world.judge.accounting().joined);
    CHECK(judge.evidence().join().clicks() == world.judge.evidence().join().clicks());
    CHECK(judge.latency().joined().size() == world.judge.latency().joined().size());
    CHECK(judge.counters().duplicates == 1);
  };
  SECTION("all at once") {
    Judge judge(World::standard());
    judge.record_all(world.records);
    compare(judge);
  }
  SECTION("through a queue that is drained now and then") {
    Judge judge(World::standard());
    JudgeQueue queue(judge);
    for (std::size_t i = 0; i < world.records.size(); ++i) {
      queue.record(world.records[i]);
      if (i % 37 == 0) queue.drain();
    }
    queue.drain();
    compare(judge);
  }
}

TEST_CASE("a queue holds back fewer records than it takes, and none after it was drained") {
  Busy world;
  Judge judge(World::standard());
  JudgeQueue queue(judge);
  for (std::size_t i = 0; i < world.records.size(); ++i) {
    queue.record(world.records[i]);
    REQUIRE(judge.records() == (i + 1) - (i + 1) % JudgeQueue::kMost);
  }
  queue.drain();
  CHECK(judge.records() == world.records.size());
  queue.drain();
  CHECK(judge.records() == world.records.size());
}

}  // namespace photon::analysis::testing
