// Oracle J-S6.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr ShardId kGroup{0};

// Two slots chosen and applied, then a promise, all of it on the disk of replica 2.
struct Compacting {
  World world;
  // Generations 1, 1, 1: no replica was admitted.
  std::uint64_t first = 0;

  Compacting() {
    prepare(world);
    world.choose(1, 0x101, 5);
    world.choose(2, 0x101, 6);
    world.apply(kReplica2, 1, 5);
    world.apply(kReplica2, 2, 6);
    world.promise(kReplica2, 0x203, 3);
    CHECK(world.total() == 0);
    first = world.judge.evidence().registry().consensus().generations_hash(kGroup, 1);
  }
  void snapshot(std::uint64_t slot, std::uint64_t state, std::uint64_t generations) {
    world.emit(Source::durable, kReplica2, PaxosSnapshot{slot, state, generations, kGroup});
  }
  void begin_after_all() {
    snapshot(2, 62, first);
    world.begin_chain(kReplica2);
    world.write_promise(kReplica2, 0x203);
    world.restated(kReplica2, 2);
  }
};

}  // namespace

TEST_CASE("J-S6 an acceptor keeps its promises, across restarts (B-12, M-01, M-02)") {
  World world;
  prepare(world);
  world.promise(kReplica2, 0x203, 1);
  SECTION("accepts below its promise") {
    world.accept(kReplica2, 1, 0x101, 5);
    check_only(world, "J-S6");
  }
  SECTION("accepts below its promise after a restart") {
    world.crash(kReplica2);
    world.restart(kReplica2);
    world.accept(kReplica2, 1, 0x101, 5);
    check_only(world, "J-S6");
  }
  SECTION("promises less than before") {
    world.sent(kReplica2, kReplica3, PaxosPromise{0x102, 1, 0, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("accepts at the promised ballot and above; repeats the promise") {
    world.sent(kReplica2, kReplica3, PaxosPromise{0x203, 1, 0, kGroup});
    world.accept(kReplica2, 1, 0x203, 5);
    world.accept(kReplica2, 1, 0x301, 5);
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S6 a slot far above all others is a violation and uses no memory") {
  World world;
  prepare(world);
  world.accept(kReplica2, std::uint64_t{1} << 31U, 0x101, 5);
  CHECK(world.count("J-S6") >= 1);
  CHECK(world.judge.evidence().registry().consensus().group(kGroup)->slots.empty());
}

TEST_CASE("J-S6 a promise reports what was accepted (M-01, M-03)") {
  World world;
  prepare(world);
  world.propose(1, 0x101, 5);
  world.accept(kReplica2, 1, 0x101, 5);
  const auto promise = [&](std::uint64_t reported) {
    world.promise(kReplica2, 0x203, 1, reported);
  };
  const auto report = [&](std::uint64_t ballot, std::uint64_t value) {
    world.sent(kReplica2, kReplica3, PaxosReported{0x203, ballot, 1, value, kGroup});
  };
  SECTION("hidden") {
    promise(0);
    check_only(world, "J-S6");
  }
  SECTION("hidden after a restart") {
    world.crash(kReplica2);
    world.restart(kReplica2);
    promise(0);
    check_only(world, "J-S6");
  }
  SECTION("a proposer's own acceptance, stated without a message, is hidden") {
    world.append(kReplica1);
    world.write_accept(kReplica1, 1, 0x101, 5);
    world.promise(kReplica1, 0x203, 1);
    check_only(world, "J-S6");
  }
  SECTION("another value") {
    promise(1);
    report(0x101, 6);
    check_only(world, "J-S6");
  }
  SECTION("an older ballot") {
    promise(1);
    report(0x001, 5);
    check_only(world, "J-S6");
  }
  SECTION("truthful, facts in either order") {
    promise(1);
    report(0x101, 5);
    report(0x101, 5);
    promise(1);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("slots before from_slot need no report") {
    world.promise(kReplica2, 0x203, 2);
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S6 one value per ballot and slot, chosen by a majority of distinct acceptors") {
  World world;
  prepare(world);
  SECTION("a ballot proposes two values") {
    world.propose(1, 0x101, 5);
    world.propose(1, 0x101, 6);
    check_only(world, "J-S6");
  }
  SECTION("two acceptors accept two values at one ballot") {
    world.accept(kReplica2, 1, 0x101, 5);
    world.append(kReplica3);
    world.write_accept(kReplica3, 1, 0x101, 6);
    check_only(world, "J-S6");
  }
  SECTION("two values chosen (M-03)") {
    world.choose(1, 0x101, 5);
    world.sent(kReplica3, kReplica2, PaxosAccept{0x203, 1, 6, kGroup});
    world.accept(kReplica3, 1, 0x203, 6);
    CHECK(world.total() == 0);
    world.accept(kReplica2, 1, 0x203, 6);
    check_only(world, "J-S6");
  }
  SECTION("applied with one acceptor counted twice (M-05)") {
    world.accept(kReplica2, 1, 0x101, 5);
    world.accept(kReplica2, 1, 0x101, 5);
    world.apply(kReplica1, 1, 5);
    check_only(world, "J-S6");
  }
  SECTION("votes at different ballots do not add up") {
    world.accept(kReplica2, 1, 0x101, 5);
    world.accept(kReplica3, 1, 0x201, 5);
    world.apply(kReplica3, 1, 5);
    check_only(world, "J-S6");
  }
  SECTION("the proposer's own vote travels without a message, but it is on its disk") {
    world.propose(1, 0x101, 5);
    world.accept(kReplica2, 1, 0x101, 5);
    const bool written = GENERATE(true, false);
    if (written) {
      world.append(kReplica1);
      world.write_accept(kReplica1, 1, 0x101, 5);
    }
    world.apply(kReplica1, 1, 5);
    INFO(world.findings());
    CHECK(world.count("J-S6") == (written ? 0 : 1));
  }
  SECTION("a later ballot confirms the chosen value") {
    world.choose(1, 0x101, 5);
    world.sent(kReplica3, kReplica2, PaxosAccept{0x203, 1, 5, kGroup});
    world.accept(kReplica2, 1, 0x203, 5);
    world.accept(kReplica3, 1, 0x203, 5);
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S6 what an acceptor states is on its disk (B-12, M-01)") {
  World world;
  prepare(world);
  SECTION("a promise that is not") {
    world.sent(kReplica2, kReplica3, PaxosPromise{0x203, 1, 0, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("an acceptance that is not") {
    world.sent(kReplica2, kReplica1, PaxosAccepted{0x101, 1, 5, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("an acceptance of another value, or in another slot, or by another replica") {
    world.accept(kReplica2, 1, 0x101, 5);
    CHECK(world.total() == 0);
    world.sent(kReplica2, kReplica1, PaxosAccepted{0x101, 1, 6, kGroup});
    world.sent(kReplica2, kReplica1, PaxosAccepted{0x101, 2, 5, kGroup});
    world.sent(kReplica3, kReplica1, PaxosAccepted{0x101, 1, 5, kGroup});
    CHECK(world.count("J-S6") == 3);
  }
  SECTION("an acceptance sent later than another one of the same slot that became durable") {
    world.append(kReplica2);
    world.write_accept(kReplica2, 1, 0x101, 5);
    world.write_promise(kReplica2, 0x203);
    world.write_accept(kReplica2, 1, 0x203, 6);
    world.sent(kReplica2, kReplica1, PaxosAccepted{0x101, 1, 5, kGroup});
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S6 bytes that the next segment leaves out are void (A-23)") {
  World world;
  prepare(world);
  world.propose(1, 0x101, 5);
  world.accept(kReplica2, 1, 0x101, 5);  // append 0
  world.append(kReplica2);               // append 1: the life ends, its write arrives late
  world.write_accept(kReplica2, 2, 0x101, 6);
  world.crash(kReplica2);
  world.restart(kReplica2);
  SECTION("the promise of the next life need not report them") {
    world.begin_segment(kReplica2, 1);
    world.write_promise(kReplica2, 0x203);
    world.sent(kReplica2, kReplica3, PaxosReported{0x203, 0x101, 1, 5, kGroup});
    world.sent(kReplica2, kReplica3, PaxosPromise{0x203, 1, 1, kGroup});
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("it must report them if its segment continues after them") {
    world.begin_segment(kReplica2, 2);
    world.write_promise(kReplica2, 0x203);
    world.sent(kReplica2, kReplica3, PaxosReported{0x203, 0x101, 1, 5, kGroup});
    world.sent(kReplica2, kReplica3, PaxosPromise{0x203, 1, 1, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("their votes do not count") {
    world.begin_segment(kReplica2, 1);
    world.accept(kReplica3, 2, 0x101, 6);
    world.apply(kReplica3, 1, 7);  // two findings: slot 1 has one vote, and slot 2 below
    world.apply(kReplica3, 2, 6);
    CHECK(world.count("J-S6") == 2);
  }
  SECTION("bytes that arrive after a segment was continued are void as well") {
    world.begin_segment(kReplica2, 1);
    world.write_promise(kReplica2, 0x203);
    world.emit(Source::durable, kReplica2, PaxosLogWritten{1, 300, 0, 0, kGroup});
    world.write_accept(kReplica2, 3, 0x101, 6);
    CHECK(world.total() == 0);
    CHECK(world.judge.evidence().registry().consensus().voting(kGroup, 3, 0x101) == nullptr);
  }
}

TEST_CASE("J-S6 replicas apply the chosen sequence alike and without gaps (B-10)") {
  World world;
  prepare(world);
  world.choose(1, 0x101, 5);
  world.choose(2, 0x101, 6);
  SECTION("a gap") {
    world.apply(kReplica2, 2, 6);
    check_only(world, "J-S6");
  }
  SECTION("twice in one life (B-16)") {
    world.apply(kReplica2, 1, 5);
    world.apply(kReplica2, 1, 5);
    check_only(world, "J-S6");
  }
  SECTION("another value than the chosen one") {
    world.apply(kReplica2, 1, 7);
    check_only(world, "J-S6");
  }
  SECTION("another state") {
    world.apply(kReplica2, 1, 5);
    world.decide(kReplica3, SlotApplied{1, 5, 1, kGroup, 0});
    check_only(world, "J-S6");
  }
  SECTION("another outcome of an operation") {
    world.apply(kReplica2, 1, 5, {{1, world.token(kJoiner, 1)}});
    world.apply(kReplica3, 1, 5, {{1, world.token(kJoiner, 1), RegistryCode::too_old, 0}});
    check_only(world, "J-S6");
  }
  SECTION("a collection states many ids under one index") {
    world.wait(2h);  // so that a boundary above these ids is old enough
    for (const NodeId replica : {kReplica2, kReplica3}) {
      world.decide(replica, BoundaryMoved{1, click_id(3).stamp, kGroup});
      for (const std::uint32_t click : {1U, 2U}) {
        world.decide(replica,
                     OperationApplied{click_id(click), Token{}, 1, 0, RegistryOperation::collect,
                                      RegistryCode::inserted, kGroup, 0});
      }
      world.decide(replica, SlotApplied{1, 5, 9, kGroup, 1});
    }
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("again from slot 1 in the next life") {
    world.apply(kReplica2, 1, 5);
    world.apply(kReplica2, 2, 6);
    world.crash(kReplica2);
    world.restart(kReplica2);
    world.apply(kReplica2, 1, 5);
    CHECK(world.total() == 0);
    world.apply(kReplica2, 2, 7);
    check_only(world, "J-S6");
  }
}

TEST_CASE("J-S6 a new log chain restates everything that still counts (B-18)") {
  Compacting compacting;
  World& world = compacting.world;
  SECTION("all of it") {
    compacting.snapshot(1, 31, compacting.first);
    world.begin_chain(kReplica2);
    world.write_accept(kReplica2, 2, 0x101, 6);
    world.write_promise(kReplica2, 0x203);
    world.restated(kReplica2, 1);
    world.emit(Source::durable, kReplica2, PaxosLogRemoved{1, kGroup});
    // The next life continues from there, and earlier votes still count.
    world.crash(kReplica2);
    world.restart(kReplica2);
    world.decide(kReplica2, StateRestored{1, 31, kGroup});
    world.apply(kReplica2, 2, 6);
    // A vote that the log has dropped and that all replicas have chosen needs no record.
    world.sent(kReplica2, kReplica3, PaxosAccepted{0x303, 1, 5, kGroup});
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("without the promise") {
    compacting.snapshot(2, 62, compacting.first);
    world.begin_chain(kReplica2);
    world.restated(kReplica2, 2);
    check_only(world, "J-S6");
  }
  SECTION("without an acceptance above its base") {
    compacting.snapshot(1, 31, compacting.first);
    world.begin_chain(kReplica2);
    world.write_promise(kReplica2, 0x203);
    world.restated(kReplica2, 1);
    check_only(world, "J-S6");
  }
  SECTION("before the snapshot is durable") {
    world.begin_chain(kReplica2);
    world.write_promise(kReplica2, 0x203);
    world.restated(kReplica2, 2);
    check_only(world, "J-S6");
  }
}

TEST_CASE("J-S6 what a log has dropped stays chosen, and the snapshot holds that state (B-18)") {
  Compacting compacting;
  World& world = compacting.world;
  SECTION("a promise that does not report what was dropped") {
    compacting.begin_after_all();
    world.promise(kReplica2, 0x303, 2);
    check_only(world, "J-S6");
  }
  SECTION("an earlier promise, about a slot that arrived with another replica's snapshot") {
    world.accept(kReplica1, 3, 0x101, 7);
    world.accept(kReplica3, 3, 0x101, 7);
    world.apply(kReplica3, 1, 5);
    world.apply(kReplica3, 2, 6);
    world.apply(kReplica3, 3, 7);
    compacting.snapshot(3, 93,
                        world.judge.evidence().registry().consensus().generations_hash(kGroup, 3));
    world.begin_chain(kReplica2);
    world.write_promise(kReplica2, 0x203);
    world.restated(kReplica2, 3);
    world.sent(kReplica2, kReplica3, PaxosPromise{0x203, 3, 0, kGroup});  // it waited for the disk
    INFO(world.findings());
    REQUIRE(world.total() == 0);
    world.promise(kReplica2, 0x303, 3);
    check_only(world, "J-S6");
  }
  SECTION("a vote for another value than the one dropped") {
    compacting.begin_after_all();
    world.sent(kReplica2, kReplica3, PaxosAccepted{0x303, 1, 7, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("a segment whose creation was torn is removed, before any chain restarted") {
    world.format(kReplica3, 2);
    world.emit(Source::durable, kReplica3, PaxosLogWritten{2, 0, 0, 0, kGroup, 2});
    world.emit(Source::durable, kReplica3, PaxosLogRemoved{1, kGroup});
    CHECK(world.total() == 0);
  }
  SECTION("a segment of the present chain is removed") {
    compacting.begin_after_all();
    world.emit(Source::durable, kReplica2, PaxosLogRemoved{2, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("a snapshot of another state, of other generations, or of an unapplied slot") {
    compacting.snapshot(2, 63, compacting.first);
    compacting.snapshot(2, 62, compacting.first + 1);
    compacting.snapshot(3, 62, compacting.first);
    CHECK(world.count("J-S6") == 3);
  }
  SECTION("restored from a snapshot that is not on the disk") {
    world.decide(kReplica3, StateRestored{2, 62, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("restored to a state different from the other replicas'") {
    compacting.snapshot(2, 62, compacting.first);
    world.decide(kReplica2, StateRestored{2, 61, kGroup});
    check_only(world, "J-S6");
  }
  SECTION("a gap after the snapshot") {
    compacting.snapshot(1, 31, compacting.first);
    world.crash(kReplica2);
    world.restart(kReplica2);
    world.decide(kReplica2, StateRestored{1, 31, kGroup});
    world.choose(3, 0x101, 7);
    world.apply(kReplica2, 3, 7);
    CHECK(world.count("J-S6") >= 1);
  }
}

}  // namespace photon::analysis::testing
