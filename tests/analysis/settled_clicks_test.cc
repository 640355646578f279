// Late records about clicks that were settled long ago: the judge has packed what it knew of them,
// and judges them as it does those of a moment ago.
#include <algorithm>

#include "analysis/evidence/join_facts.h"
#include "analysis/evidence/packed_table.h"
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

// Long enough for everything to be packed. The clock of the judge is that of the records.
void let_rest(World& world) {
  static_assert(PackedTable<Click>::kIdle < 60);
  for (int i = 0; i < 60; ++i) {
    world.wait(2s);
    world.environment(kNoNode, FaultEffect{});
  }
  world.lease(kReplica1, 0x101, 10min);
}

// Click 1 is joined by joiner 11 and settled everywhere; then time passes.
struct Settled : World {
  Settled() {
    prepare(*this, 3);
    join(1, 1);
    learn(1, 1);
    let_rest(*this);
  }
  Token owner() { return token(kJoiner, 1); }
};

}  // namespace

TEST_CASE("J-S1 a second output of a click that was settled long ago is found") {
  Settled world;
  SECTION("the same token again") {
    world.stored(kJoiner, world.output(1, world.owner()));
    INFO(world.findings());
    CHECK(world.count("J-S1") == 1);
    CHECK(world.findings().find("first one, of token 11.41.1") != std::string::npos);
    CHECK(world.judge.counters().duplicates == 1);
  }
  SECTION("another token") {
    world.emit(Source::durable, kFarJoiner, world.output(1, world.token(kFarJoiner, 1)));
    CHECK(world.count("J-S1") == 1);
    CHECK(world.count("J-S2") == 1);
  }
  SECTION("a late copy in another datacenter is the same logical record") {
    trace::Record copy =
        trace::Record::make(world.records.back().header, world.output(1, world.owner()));
    copy.header.source = Source::durable;
    copy.header.datacenter = kFar;
    world.judge.record(copy);
    INFO(world.findings());
    CHECK(world.total() == 0);
    CHECK(world.judge.counters().duplicates == 0);
  }
}

TEST_CASE("J-S3 a second registration of a click that was settled long ago is found") {
  Settled world;
  world.transaction(2, {{1, world.token(kFarJoiner, 1)}});
  INFO(world.findings());
  CHECK(world.count("J-S3") == 1);
}

TEST_CASE("J-S10 a token that was used long ago is not used for another click") {
  Settled world;
  world.ask_insert(kJoiner, 2, world.owner());
  check_only(world, "J-S10");
}

TEST_CASE("J-S10 a token is not sent again long after its answer") {
  Settled world;
  world.ask_insert(kJoiner, 1, world.owner());
  check_only(world, "J-S10");
}

TEST_CASE("J-S16 the id of a click that was settled long ago is not generated again") {
  Settled world;
  world.generate(1);
  check_only(world, "J-S16");
}

TEST_CASE("J-S4 a late look-up must still see what was registered long ago") {
  Settled world;
  SECTION("absent") {
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    INFO(world.findings());
    CHECK(world.count("J-S4") == 1);
    CHECK(world.findings().find("an answer received at") != std::string::npos);
  }
  SECTION("present") {
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    CHECK(world.total() == 0);
  }
  SECTION("a late copy of an answer is not read twice") {
    const auto answers = [](const trace::Record& record) {
      return record.header.kind == Kind::registry_answer &&
             record.header.source == Source::delivered && record.header.node == kFarDispatcher;
    };
    const auto last = std::find_if(world.records.rbegin(), world.records.rend(), answers);
    REQUIRE(last != world.records.rend());
    trace::Record copy = *last;
    copy.header.at = world.now;
    world.judge.record(copy);
    CHECK(world.total() == 0);
  }
}

TEST_CASE("a settled click has its place in the accounts, with what proves it") {
  Settled world;
  world.join(2, 2);
  world.learn(2, 2);
  world.join(3, 3);
  world.learn(3, 3);
  let_rest(world);
  world.quiesce();
  world.judge.finish();
  INFO(world.findings());
  CHECK(world.total() == 0);
  CHECK(world.judge.accounting().joined == 3);
  CHECK(world.judge.accounting().adds_up());
}

}  // namespace photon::analysis::testing
