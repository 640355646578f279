// J-S7's second half on handmade traces: leases rest on grants.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr ShardId kGroup{0};
constexpr std::uint64_t kFirst = 0x101, kSecond = 0x202;

// Three replicas, 1 the master at kFirst. A lease lasts 1.5 s; clocks may err by 200 ppm.
struct Leased : World {
  Leased() : World(config_of()) {
    for (const NodeId node : {kReplica1, kReplica2, kReplica3}) {
      environment(node, ProcessStarted{0});
    }
  }
  static JudgeConfig config_of() {
    JudgeConfig config = standard();
    config.lease = 1500ms;
    return config;
  }
  // Received, and acknowledged some time later; the answer may get lost.
  void hear(NodeId follower, std::int64_t stamp, std::uint64_t ballot = kFirst,
            NodeId master = kReplica1) {
    message(master, follower, PaxosHeartbeat{ballot, stamp, kGroup});
  }
  void grant(NodeId follower, std::int64_t stamp) {
    sent(follower, kReplica1, PaxosGranted{kFirst, stamp, kGroup});
  }
  void receive(NodeId follower, std::int64_t stamp) {
    delivered(follower, kReplica1, PaxosGranted{kFirst, stamp, kGroup});
  }
  void claim(SimTime until) {
    decide(kReplica1, LeaseExtended{kFirst, (until - now - 1ms).count(), kGroup});
  }
  void ask(NodeId candidate, NodeId voter, std::uint64_t released = 0) {
    message(candidate, voter, PaxosPrepare{kSecond, 1, released, kGroup});
  }
  void promise_to(NodeId candidate, NodeId voter) {
    sent(voter, candidate, PaxosPromise{kSecond, 1, 0, kGroup});
  }
  std::uint64_t found() const { return count("J-S7"); }
};

}  // namespace

TEST_CASE("J-S7 B-11 a master claims no more than a majority granted") {
  Leased world;
  world.wait(10ms);
  const SimTime asked = world.now + 1ms;  // when the next record is written
  world.hear(kReplica2, 7);
  world.wait(50ms);
  world.grant(kReplica2, 7);
  const SimTime granted = world.now;
  world.wait(50ms);
  SECTION("nothing has arrived") {
    world.claim(granted + 1s);
    CHECK(world.found() == 1);
  }
  SECTION("from the time of its request, less what both clocks may err") {
    world.receive(kReplica2, 7);
    world.claim(asked + 1500ms - 600us);
    CHECK(world.found() == 0);
    world.claim(asked + 1500ms);
    CHECK(world.found() == 1);
  }
  SECTION("not from the acknowledgement, which it has not received") {
    world.receive(kReplica2, 7);
    world.claim(granted + 1500ms - 600us);
    CHECK(world.found() == 1);
  }
  SECTION("a later request counts when it is acknowledged") {
    const SimTime again = world.now + 1ms;
    world.hear(kReplica2, 8);
    world.receive(kReplica2, 7);
    world.claim(again + 1500ms - 600us);
    CHECK(world.found() == 1);
    world.grant(kReplica2, 8);
    world.receive(kReplica2, 8);
    world.claim(again + 1500ms - 600us);
    CHECK(world.found() == 1);
  }
  SECTION("not from its arrival") {
    world.receive(kReplica2, 7);
    world.claim(world.now + 1500ms);
    CHECK(world.found() == 1);
  }
  SECTION("an acceptance is an acknowledgement") {
    world.message(kReplica1, kReplica3, PaxosAccept{kFirst, 1, 5, kGroup});
    world.write_accept(kReplica3, 1, kFirst, 5);
    world.message(kReplica3, kReplica1, PaxosAccepted{kFirst, 1, 5, kGroup});
    world.claim(world.now + 1490ms);
    CHECK(world.found() == 0);
  }
}

TEST_CASE("J-S7 B-11 a replica promises its grant to no other candidate, across restarts") {
  Leased world;
  world.write_promise(kReplica2, kSecond);
  world.hear(kReplica2, 7);
  const SimTime heard = world.now;
  world.wait(200ms);
  world.grant(kReplica2, 7);
  SECTION("to another candidate") {
    world.ask(kReplica3, kReplica2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 1);
  }
  SECTION("in its next life") {
    world.crash(kReplica2);
    world.restart(kReplica2);
    world.ask(kReplica3, kReplica2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 1);
  }
  SECTION("to the holder, or when the grant may have expired") {
    world.promise_to(kReplica1, kReplica2);
    world.wait(heard + 1500ms - world.now);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 0);
  }
  SECTION("when a copy of the acknowledged request arrived after the promise (B-11)") {
    // The disk is slow: the answer to the first copy leaves after the second copy.
    world.wait(4s);
    world.hear(kReplica2, 7);
    world.grant(kReplica2, 7);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 0);
  }
  SECTION("after the master of that ballot released it (B-19)") {
    const std::uint64_t released = GENERATE(kFirst - 1, kFirst);
    world.ask(kReplica3, kReplica2, released);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == (released == kFirst ? 0 : 1));
  }
  SECTION("a release counts for every replica, not only for the one that reported it (B-19)") {
    world.message(kReplica1, kReplica2, PaxosPrepare{kSecond - 1, 1, kFirst, kGroup});
    world.ask(kReplica3, kReplica2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 0);
  }
  SECTION("a candidate that stands because of the release knows it as well (B-19)") {
    world.sent(kReplica2, kReplica1, PaxosPrepare{kSecond - 1, 1, kFirst, kGroup});
    world.ask(kReplica3, kReplica2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 0);
  }
  SECTION("a master of a higher ballot was received, and not acknowledged yet") {
    const std::uint64_t ballot = GENERATE(kFirst - 1, kFirst + 1);
    world.hear(kReplica2, 9, ballot, kReplica3);
    world.ask(kReplica1, kReplica2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == (ballot > kFirst ? 0 : 1));
  }
  SECTION("a late request of a lower ballot does not change that (B-19)") {
    world.ask(kReplica3, kReplica2, kFirst);
    world.message(kReplica3, kReplica2, PaxosPrepare{kFirst - 1, 1, 0, kGroup});
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 0);
  }
}

TEST_CASE("J-S7 B-18 a new disk is bound by its own grants, not by those of the lost one") {
  Leased world;
  world.write_promise(kReplica2, kSecond);
  world.hear(kReplica2, 7);
  world.grant(kReplica2, 7);
  SECTION("it promises at once, and until it grants") {
    world.format(kReplica2, 2);
    world.ask(kReplica3, kReplica2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 0);
    // Of the same replica to the same master: this grant is the new disk's.
    world.hear(kReplica2, 8);
    world.grant(kReplica2, 8);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 1);
  }
  SECTION("it does not know what the lost one received (B-19)") {
    const bool lost = GENERATE(true, false);
    world.message(kReplica1, kReplica2, PaxosPrepare{kSecond - 1, 1, kFirst, kGroup});
    world.hear(kReplica2, 8, kFirst + 1, kReplica3);
    if (lost) world.format(kReplica2, 2);
    world.hear(kReplica2, 9);
    world.grant(kReplica2, 9);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == (lost ? 1 : 0));
  }
  SECTION("a disk lost in another replica ends no grant") {
    world.format(kReplica3, 2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == 1);
  }
}

TEST_CASE("J-S7 B-11 of two masters received at one instant the higher ballot has the grant") {
  // The follower was paused: heartbeats of the old and the new master waited for it.
  const auto promised_to = [](NodeId candidate) {
    Leased world;
    world.hear(kReplica2, 7);
    world.grant(kReplica2, 7);
    world.wait(10s);
    const SimTime back = world.now;
    world.delivered(kReplica1, kReplica2, PaxosHeartbeat{kFirst, 8, kGroup});
    world.now = back;
    world.delivered(kReplica3, kReplica2, PaxosHeartbeat{kSecond, 9, kGroup});
    world.now = back;
    world.grant(kReplica2, 8);
    world.now = back;
    world.sent(kReplica2, kReplica3, PaxosGranted{kSecond, 9, kGroup});
    world.wait(1s);
    world.ask(candidate, kReplica2);
    world.promise_to(candidate, kReplica2);
    return world.found();
  };
  CHECK(promised_to(kReplica3) == 0);
  CHECK(promised_to(kReplica1) == 1);
}

TEST_CASE("J-S7 B-11 a recalled round grants from when it happened") {
  // The round of stamp 7 happened at `then`, and is told of a second later.
  Leased world;
  world.wait(10s);
  const SimTime then = world.now;
  world.wait(1s);
  const SimTime present = world.now;
  const auto recall = [&] {
    world.environment(kNoNode, Recalled{then, 5});
    world.now = present;
  };
  const bool recalled = GENERATE(true, false);
  if (recalled) recall();
  world.sent(kReplica1, kReplica2, PaxosHeartbeat{kFirst, 7, kGroup});
  world.now = present;
  if (recalled) recall();
  world.delivered(kReplica1, kReplica2, PaxosHeartbeat{kFirst, 7, kGroup});
  world.now = present;
  if (recalled) recall();
  world.grant(kReplica2, 7);
  world.now = present;
  if (recalled) recall();
  world.receive(kReplica2, 7);
  SECTION("so the master claims too much from then on") {
    world.now = present;
    world.claim(present + 1s);
    CHECK(world.found() == (recalled ? 1 : 0));
  }
  SECTION("so the follower may promise to another candidate earlier") {
    world.now = then + 1600ms;
    world.ask(kReplica3, kReplica2);
    world.promise_to(kReplica3, kReplica2);
    CHECK(world.found() == (recalled ? 0 : 1));
  }
}

TEST_CASE("J-S7 B-11 a recalled claim counts from when it was made") {
  for (const bool recalled : {true, false}) {
    Leased world;
    world.wait(10s);
    for (const NodeId follower : {kReplica2, kReplica3}) {
      world.hear(follower, 7);
      world.grant(follower, 7);
      world.receive(follower, 7);
    }
    const SimTime then = world.now;
    world.wait(1s);
    if (recalled) world.environment(kNoNode, Recalled{then, 0});
    // A second too long, if it was made now.
    world.decide(kReplica1, LeaseExtended{kFirst, Duration(1490ms).count(), kGroup});
    CHECK(world.found() == (recalled ? 0 : 1));
  }
}

}  // namespace photon::analysis::testing
