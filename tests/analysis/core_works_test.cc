// J-P1, strict form: what a core that works alone must have finished.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

// Datacenters 0 and 2, with two of the three replicas and the first pipeline.
void choose_core(World& world) { world.environment(kNoNode, CoreChosen{0b101, 2}); }

constexpr std::uint64_t kAdmission = 99;

// Replica 1 loses its disk, and the two others choose the admission of the new one.
void admit_first(World& world) {
  world.format(kReplica1, 2);
  for (const NodeId voter : {kReplica2, kReplica3}) {
    world.append(voter);
    world.write_accept(voter, 1, 0x101, kAdmission);
    world.emit(Source::durable, voter, PaxosAdmission{kAdmission, ShardId{0}, 0, 2});
  }
}

void know_admission(World& world, NodeId replica) {
  world.decide(replica, SlotApplied{1, kAdmission, 0, ShardId{0}, 0});
}

}  // namespace

TEST_CASE("J-P1 a core that works alone must finish what it can read") {
  World world;
  prepare(world, 2);
  SECTION("it did") {
    choose_core(world);
    CHECK(world.judge.unfinished_at_core() == 2);
    world.join(1, 1);
    CHECK(world.judge.unfinished_at_core() == 1);
    world.join(2, 2);
    CHECK(world.judge.unfinished_at_core() == 0);
    world.quiesce();
    CHECK(world.count("J-P1") == 0);
    CHECK(world.judge.obligations("J-P1") == 2);
  }
  SECTION("one click is stuck in the core, whatever the other pipeline does with it") {
    choose_core(world);
    world.join(1, 1);
    world.read(kFarDispatcher, 2);
    world.quiesce();
    CHECK(world.count("J-P1") == 1);
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
  }
  SECTION("no obligation for what was not readable when the core's time began") {
    choose_core(world);
    world.generate(3);
    world.ship_all(3);
    world.join(1, 1);
    world.join(2, 2);
    world.quiesce();
    CHECK(world.count("J-P1") == 0);
  }
  SECTION("it may lack a majority of disks: this is counted, and no obligation remains") {
    world.format(kReplica1, 2);
    choose_core(world);
    const bool stalls = GENERATE(true, false);
    if (!stalls) {
      world.join(1, 1);
      world.join(2, 2);
    }
    world.quiesce();
    CHECK(world.judge.is_stall_exempt() == stalls);  // what did not stall needs no exemption
    CHECK(world.count("J-P1") == 0);
    CHECK(world.judge.obligations("J-P1") == 0);
  }
  SECTION("a disk lost outside the core exempts nothing") {
    world.format(kReplica2, 2);
    choose_core(world);
    CHECK_FALSE(world.judge.is_stall_exempt());
    world.quiesce();
    CHECK(world.count("J-P1") == 2);
  }
}

TEST_CASE("J-P1 B-18 a replaced disk votes in the core if the core can know of its admission") {
  World world;
  prepare(world, 2);
  admit_first(world);
  SECTION("a replica of the core has applied it: no exemption") {
    const NodeId knows = GENERATE(kReplica1, kReplica3);
    know_admission(world, knows);
    choose_core(world);
    world.quiesce();
    CHECK_FALSE(world.judge.is_stall_exempt());
    CHECK(world.count("J-P1") == 2);
  }
  SECTION("only replicas outside have, or a life that ended: exempt") {
    const int where = GENERATE(0, 1, 2);
    if (where == 1) know_admission(world, kReplica2);
    if (where == 2) {
      know_admission(world, kReplica3);
      world.crash(kReplica3);  // and it may have forgotten that
    }
    choose_core(world);
    world.quiesce();
    CHECK(world.judge.is_stall_exempt());
    CHECK(world.count("J-P1") == 0);
  }
  SECTION("it has a majority without the new disk, and with it: no exemption") {
    // All datacenters are the core, and the admission is open.
    const bool other_lost = GENERATE(true, false);
    if (other_lost) world.format(kReplica2, 2);
    world.environment(kNoNode, CoreChosen{0b111, 3});
    world.quiesce();
    CHECK(world.judge.is_stall_exempt() == other_lost);
    CHECK(world.count("J-P1") == (other_lost ? 0 : 2));
  }
}

}  // namespace photon::analysis::testing
