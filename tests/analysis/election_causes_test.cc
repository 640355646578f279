// J-P10: a replica stands for election only for a cause.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr GroupId kElectionGroup{0};
constexpr std::uint64_t kFirst = 10, kSecond = 20, kThird = 30;

// Replica 1 began the first ballot of a blank group, and was elected with it.
struct Elected {
  Elected() : world(config()) {
    for (const NodeId each : {kReplica1, kReplica2, kReplica3}) {
      world.environment(each, ProcessStarted{});
      world.stored(each, PaxosFormatted{kElectionGroup, 1});
    }
    stand(kReplica1, kFirst);
    for (const NodeId each : {kReplica1, kReplica2, kReplica3}) {
      world.stored(each, PaxosPromise{kFirst, 1, 0, kElectionGroup});
    }
    beat();
  }
  static JudgeConfig config() {
    JudgeConfig config = World::standard();
    config.election_timeout = 2s;
    config.monotonic_drift_ppb = 10'000'000;
    return config;
  }
  void stand(NodeId node, std::uint64_t ballot, std::uint64_t released = 0) {
    for (const NodeId each : {kReplica1, kReplica2, kReplica3}) {
      if (each != node)
        world.message(node, each, PaxosPrepare{ballot, 1, released, kElectionGroup});
    }
  }
  void beat(NodeId master = kReplica1, std::uint64_t ballot = kFirst) {
    for (const NodeId each : {kReplica1, kReplica2, kReplica3}) {
      if (each == master) continue;
      world.message(master, each, PaxosHeartbeat{ballot, 1, kElectionGroup});
      world.message(each, master, PaxosGranted{ballot, 1, kElectionGroup});
    }
  }
  void check(std::uint64_t reported) const {
    INFO(world.findings());
    CHECK(world.count("J-P10") == reported);
  }
  World world;
};

}  // namespace

TEST_CASE("J-P10 a silent master pays for an election") {
  Elected scene;
  scene.check(0);
  SECTION("after the time-out, as short as a fast clock makes it") {
    scene.world.wait(1980ms);
    scene.stand(kReplica2, kSecond);
    scene.check(0);
    CHECK(scene.world.judge.obligations("J-P10") == 2);
  }
  SECTION("too early") {
    scene.world.wait(1900ms);
    scene.stand(kReplica2, kSecond);
    scene.check(1);
  }
  SECTION("a heartbeat, or an acceptance to vote for, begins the time anew") {
    scene.world.wait(1s);
    if (GENERATE(false, true)) {
      scene.beat();
    } else {
      scene.world.delivered(kReplica1, kReplica2, PaxosAccept{kFirst, 1, 7, kElectionGroup});
    }
    scene.world.wait(1900ms);
    scene.stand(kReplica2, kSecond);
    scene.check(1);
  }
  SECTION("a message of a master that another has followed does not") {
    scene.world.wait(1s);
    scene.world.delivered(kReplica3, kReplica2, PaxosPrepare{kSecond, 1, 0, kElectionGroup});
    scene.beat();
    scene.world.wait(1900ms);
    scene.stand(kReplica2, kThird);
    scene.check(0);
  }
}

TEST_CASE("J-P10 a silence that has ended pays for one ballot, which was on its way to the disk") {
  Elected scene;
  scene.world.wait(2s);
  scene.world.delivered(kReplica1, kReplica2, PaxosHeartbeat{kFirst, 1, kElectionGroup});
  SECTION("before it answers") {
    scene.stand(kReplica2, kSecond);
    scene.check(0);
    scene.beat(kReplica1, kThird);
    scene.stand(kReplica2, kThird + 1);
    scene.check(1);
  }
  SECTION("two of them for two") {
    scene.world.wait(2s);
    scene.world.delivered(kReplica1, kReplica2, PaxosHeartbeat{kFirst, 2, kElectionGroup});
    scene.stand(kReplica2, kSecond);
    scene.stand(kReplica2, kThird);
    scene.check(0);
    scene.stand(kReplica2, kThird + 10);
    scene.check(1);
  }
  SECTION("not after it has answered") {
    const bool that_one = GENERATE(true, false);
    CAPTURE(that_one);
    scene.world.sent(kReplica2, kReplica1, PaxosGranted{kFirst, that_one ? 1 : 0, kElectionGroup});
    scene.stand(kReplica2, kSecond);
    scene.check(that_one ? 1 : 0);
  }
}

TEST_CASE("J-P10 a candidate keeps its ballot for the time-out") {
  Elected scene;
  scene.world.wait(2s);
  scene.stand(kReplica2, kSecond);
  scene.stand(kReplica2, kSecond);  // asks again
  CHECK(scene.world.judge.obligations("J-P10") == 2);
  scene.world.wait(1s);
  scene.stand(kReplica2, kThird);
  scene.check(1);
  scene.world.wait(2s);
  scene.stand(kReplica2, kThird + 10);
  scene.check(1);
}

TEST_CASE("J-P10 a master answers a higher ballot with a still higher one") {
  Elected scene;
  scene.world.wait(2s);
  scene.stand(kReplica1, kSecond);
  scene.beat(kReplica1, kSecond);
  scene.check(0);
  SECTION("of another replica, once") {
    scene.stand(kReplica3, kThird, kSecond);
    scene.stand(kReplica1, kThird + 10);
    scene.check(0);
    scene.stand(kReplica1, kThird + 20);
    scene.check(1);
  }
  SECTION("that shows only afterwards") {
    scene.stand(kReplica1, kThird);
    scene.beat(kReplica1, kThird);
    scene.stand(kReplica3, kThird - 1, kSecond);
    scene.stand(kReplica1, kThird + 10);
    scene.check(0);
  }
  SECTION("there is none") {
    scene.stand(kReplica1, kThird);
    scene.check(0);  // it may be on its way
    scene.beat(kReplica1, kThird);
    SECTION("") {
      scene.stand(kReplica1, kThird + 10);
      scene.check(1);
    }
    SECTION("because its replica has died") {
      scene.world.crash(kReplica3);
      scene.world.restart(kReplica3);
      scene.stand(kReplica1, kThird + 10);
      scene.check(0);
    }
  }
  SECTION("a candidate that was never elected waits") {
    scene.stand(kReplica3, kThird, kSecond);
    scene.stand(kReplica2, kThird + 10, kThird);
    scene.check(0);
    scene.stand(kReplica3, kThird + 20);
    scene.check(1);
  }
}

TEST_CASE("J-P10 a ballot that waits for a slow disk begins when its cause is there") {
  Elected scene;
  scene.world.wait(3500ms);  // since 2 s it is on its way to the disk
  scene.stand(kReplica2, kSecond);
  scene.world.wait(400ms);
  scene.stand(kReplica2, kThird);
  scene.check(1);
  scene.world.wait(200ms);
  scene.stand(kReplica2, kThird + 10);
  scene.check(1);
}

TEST_CASE("J-P10 mastership that is handed over is a cause") {
  Elected scene;
  scene.stand(kReplica2, kSecond, kFirst);
  scene.check(0);
}

TEST_CASE("J-P10 a life waits first, unless its disk is blank") {
  Elected scene;
  scene.world.wait(3s);
  scene.world.crash(kReplica2);
  scene.world.restart(kReplica2);
  SECTION("an old disk") {
    scene.world.wait(1s);
    scene.stand(kReplica2, kSecond);
    scene.check(1);
  }
  SECTION("an old disk, later") {
    scene.world.wait(2s);
    scene.stand(kReplica2, kSecond);
    scene.check(0);
  }
  SECTION("an old disk, whose ballot is above that of the master") {
    scene.world.stored(kReplica2, PaxosPromise{kSecond, 1, 0, kElectionGroup});
    scene.world.wait(1s);
    scene.beat();
    scene.world.wait(1s);
    scene.stand(kReplica2, kThird);
    scene.check(0);
  }
  SECTION("a blank one") {
    scene.world.stored(kReplica2, PaxosFormatted{kElectionGroup, 2});
    scene.stand(kReplica2, kSecond);
    scene.check(0);
  }
  SECTION("a blank one that follows a master") {
    scene.world.stored(kReplica2, PaxosFormatted{kElectionGroup, 2});
    scene.beat();
    scene.stand(kReplica2, kSecond);
    scene.check(1);
  }
}

}  // namespace photon::analysis::testing
