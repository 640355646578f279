// B-18, J-P0: the redundancy that a healed run must restore, and which replicas are exempt.
#include "analysis/oracles/b_18_redundancy.h"
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr ShardId kGroup{0};

JudgeConfig with_replicas() {
  JudgeConfig config = World::standard();
  config.replicas = {kReplica1, kReplica2, kReplica3};
  config.redundancy_bound = 40s;
  return config;
}

// Slots 1 to 3, which replica 3 has missed: it was down, and restarts when all is healed.
struct Lagging : World {
  explicit Lagging(JudgeConfig config = with_replicas()) : World(std::move(config)) {
    boot();
    crash(kReplica3);
    for (std::uint64_t slot = 1; slot <= 3; ++slot) commit(slot, {kReplica1, kReplica2});
    restart(kReplica3);
    quiesce();
  }
  // Chosen by the disks of the first two.
  void commit(std::uint64_t slot, std::initializer_list<NodeId> appliers) {
    for (const NodeId voter : {kReplica1, kReplica2}) {
      append(voter);
      write_accept(voter, slot, 0x101, 0x5000 + slot);
    }
    for (const NodeId replica : appliers) apply(replica, slot, 0x5000 + slot);
  }
  void catch_up(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t slot = from; slot <= to; ++slot) apply(kReplica3, slot, 0x5000 + slot);
  }
  void speak(NodeId replica) { sent(replica, kReplica1, PaxosGranted{0x101, 1, kGroup}); }
  std::uint64_t awaited() { return judge.redundancy().awaited(); }
  std::uint64_t found() {
    judge.finish();
    return count("B-18");
  }
};

// The same three slots, and the disk of replica 3 was lost: it is replaced, and follows.
struct Replaced : Lagging {
  using Lagging::Lagging;
  void replace() {
    format(kReplica3, 2);
    append(kReplica3);
    catch_up(1, 3);
  }
  void admit() {
    for (const NodeId voter : {kReplica1, kReplica2}) {
      append(voter);
      write_accept(voter, 4, 0x101, 99);
      emit(Source::durable, voter, PaxosAdmission{99, kGroup, 2, 2});
    }
    for (const NodeId replica : {kReplica1, kReplica2, kReplica3}) apply(replica, 4, 99);
  }
};

}  // namespace

TEST_CASE("B-18 J-P0 a healed replica reaches what its group has chosen, or is reported") {
  Lagging world;
  CHECK(world.awaited() == 1);
  CHECK(world.judge.obligations("B-18") == 1);
  SECTION("it does") {
    world.catch_up(1, 2);
    CHECK(world.awaited() == 1);
    world.catch_up(3, 3);
    CHECK(world.awaited() == 0);
    world.wait(90s);
    world.speak(kReplica3);
    CHECK(world.found() == 0);
    CHECK(world.judge.redundancy().held() == 3);
  }
  SECTION("by a snapshot") {
    world.decide(kReplica3, StateRestored{3, 0, kGroup});
    CHECK(world.awaited() == 0);
  }
  SECTION("it does not") {
    world.wait(50s);
    world.speak(kReplica3);
    CHECK(world.awaited() == 0);  // overdue replicas are not awaited
    CHECK(world.found() == 1);
    CHECK(world.judge.violations().total(Severity::liveness) == 1);
    CHECK(world.findings().find("has reached slot 0, and not slot 3") != std::string::npos);
  }
  SECTION("its time has not passed yet") {
    world.wait(30s);
    world.speak(kReplica3);
    CHECK(world.awaited() == 1);
    CHECK(world.found() == 0);
  }
  SECTION("only half of it, and silent: a replica with a sound disk is not exempt") {
    world.catch_up(1, 2);
    world.wait(50s);
    world.speak(kReplica1);
    CHECK(world.found() == 1);
  }
  SECTION("in an earlier life: its memory is lost") {
    world.catch_up(1, 3);
    world.crash(kReplica3);
    world.restart(kReplica3);
    CHECK(world.awaited() == 1);
    world.wait(50s);
    world.speak(kReplica3);
    CHECK(world.found() == 1);
  }
  SECTION("it started a moment ago") {
    world.wait(50s);
    world.crash(kReplica3);
    world.wait(1s);
    world.restart(kReplica3);
    world.wait(30s);
    world.speak(kReplica3);
    CHECK(world.found() == 0);
  }
  SECTION("it is down") {
    world.crash(kReplica3);
    world.wait(50s);
    world.speak(kReplica1);
    CHECK(world.awaited() == 0);
    CHECK(world.found() == 0);
    CHECK(world.judge.redundancy().held() == 2);
  }
}

TEST_CASE("B-18 J-P0 a follower of a busy group may always lag a little, but must progress") {
  Lagging world;
  world.catch_up(1, 3);
  for (std::uint64_t slot = 4; slot <= 40; ++slot) {
    world.wait(2s);
    world.commit(slot, {kReplica1, kReplica2});
    if (slot > 20) continue;
    CHECK(world.awaited() == 0);  // it will arrive with the next heartbeat
    world.catch_up(slot, slot);
  }
  CHECK(world.awaited() == 1);
  SECTION("it still lags") {
    world.wait(2s);
    world.speak(kReplica3);
    CHECK(world.found() == 1);
    CHECK(world.findings().find("has reached slot 20, and not slot 21") != std::string::npos);
  }
  SECTION("it has reached its goal in time, and lacks later slots") {
    world.catch_up(21, 21);
    world.wait(2s);
    world.speak(kReplica3);
    CHECK(world.found() == 0);
  }
}

TEST_CASE("B-18 J-P0 no obligation without a bound, or in a run that was not healed") {
  SECTION("no bound") {
    JudgeConfig config = with_replicas();
    config.redundancy_bound = Duration::zero();
    Lagging world(config);
    world.wait(100s);
    world.speak(kReplica3);
    CHECK(world.found() == 0);
  }
  SECTION("not healed") {
    World world(with_replicas());
    world.boot();
    world.crash(kReplica3);
    world.choose(1, 0x101, 7);
    world.restart(kReplica3);
    world.wait(100s);
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.judge.finish();
    CHECK(world.judge.redundancy().held() == 0);
    CHECK(world.count("B-18") == 0);
  }
  SECTION("a longer lag gets more time") {
    JudgeConfig config = with_replicas();
    config.catch_up_turn = 5s;
    Lagging world(config);
    CHECK(world.judge.redundancy().longest() == 55s);
    world.wait(50s);
    world.speak(kReplica3);
    CHECK(world.found() == 0);
  }
}

TEST_CASE("B-18 J-P0 no obligation for a disk with wrong bytes while its replica is silent") {
  JudgeConfig config = with_replicas();
  config.unsound = {kReplica3};
  Lagging world(config);
  world.wait(50s);
  SECTION("it is silent") {
    world.speak(kReplica1);
    CHECK(world.awaited() == 0);
    CHECK(world.found() == 0);
    CHECK(world.judge.redundancy().exempt() == 1);
    CHECK(world.judge.redundancy().held() == 2);
  }
  SECTION("it takes part") {
    world.speak(kReplica3);
    CHECK(world.found() == 1);
    CHECK(world.judge.redundancy().exempt() == 0);
  }
}

TEST_CASE("B-18 J-P0 a replaced disk gets its vote again, or is reported") {
  Replaced world;
  world.replace();
  CHECK(world.awaited() == 1);
  CHECK(world.judge.obligations("B-18") == 2);  // it lagged, and has no vote
  SECTION("it does") {
    world.wait(30s);
    world.admit();
    CHECK(world.awaited() == 0);
    world.wait(100s);
    world.speak(kReplica3);
    CHECK(world.found() == 0);
  }
  SECTION("it does not") {
    world.wait(90s);
    world.speak(kReplica3);
    CHECK(world.found() == 1);
    CHECK(world.findings().find("has had no vote again since") != std::string::npos);
  }
  SECTION("it has more time for that") {
    world.wait(70s);
    world.speak(kReplica3);
    CHECK(world.awaited() == 1);
    CHECK(world.found() == 0);
  }
  SECTION("without a majority of the others it cannot be admitted") {
    world.crash(kReplica2);
    world.wait(90s);
    world.speak(kReplica3);
    CHECK(world.awaited() == 0);
    CHECK(world.found() == 0);
    CHECK(world.judge.redundancy().exempt() == 1);
  }
  SECTION("nor where another disk was lost as well") {
    world.format(kReplica2, 2);
    world.wait(90s);
    world.speak(kReplica3);
    CHECK(world.found() == 0);
    CHECK(world.judge.redundancy().exempt() == 2);
  }
}

}  // namespace photon::analysis::testing
