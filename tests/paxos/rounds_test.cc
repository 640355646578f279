// Rounds of heartbeats that may be left out (runtime/rounds.h): which, and what remains.
#include <vector>

#include "tests/paxos/cluster_steps.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

using namespace std::chrono_literals;

// Three replicas, the master at 0; its followers answer at once, as of the time `now`.
struct Trio {
  Trio() {
    Config config;
    config.replicas = 3;
    for (ReplicaIndex self = 0; self < 3; ++self) {
      config.self = self;
      replicas.emplace_back(config, Recovered{}, now);
    }
    step(0, StandForElection{});
  }
  template <class Event>
  void step(ReplicaIndex at, Event event) {
    Output out;
    replicas[at].step(Input{now, std::move(event)}, out);
    if (!out.records.empty()) step(at, Persisted{out.mark});
    for (const Outgoing& each : out.messages) {
      for (ReplicaIndex to = 0; to < 3; ++to) {
        if (each.to.contains(to) && to != deaf) step(to, Received{at, each.message});
      }
    }
  }
  void beat() {
    now = replicas[0].next_wakeup();
    step(0, Tick{});
  }
  MonotonicTime now{10s};
  ReplicaIndex deaf = kNoReplica;
  std::vector<Replica> replicas;
};

}  // namespace

TEST_CASE("B-13 a master whose heartbeat everybody has acknowledged may leave out rounds") {
  Trio trio;
  Replica& master = trio.replicas[0];
  trio.beat();
  const auto idle = master.idle_rounds();
  REQUIRE(idle);
  CHECK(idle->due == trio.now + master.config().heartbeat);
  CHECK(idle->limit <= master.config().heartbeat / 2);
  CHECK(trio.replicas[1].follows_idly());
  CHECK(trio.replicas[1].master_hint() == 0);
  CHECK_FALSE(master.follows_idly());
  CHECK_FALSE(trio.replicas[1].idle_rounds());
}

TEST_CASE("B-13 no round is left out that changes more than times") {
  Trio trio;
  Replica& master = trio.replicas[0];
  trio.beat();
  REQUIRE(master.idle_rounds());
  SECTION("a follower has not answered") {
    trio.deaf = 2;
    trio.beat();
    CHECK_FALSE(master.idle_rounds());
    trio.deaf = kNoReplica;
    trio.beat();
    CHECK(master.idle_rounds());
  }
  SECTION("a follower does not know yet that a value is chosen") {
    trio.step(0, Propose{value("x")});
    REQUIRE(master.commit() == 1);
    CHECK(trio.replicas[1].commit() == 0);
    CHECK_FALSE(master.idle_rounds());
    trio.beat();
    CHECK(trio.replicas[1].commit() == 1);
    CHECK(master.idle_rounds());
  }
  SECTION("mastership is being handed over") {
    trio.deaf = 1;
    trio.step(0, HandOver{1});
    CHECK_FALSE(master.idle_rounds());
  }
}

TEST_CASE("B-13 rounds left out and the last two carried out: the state is the same") {
  Trio all;
  Trio some;
  all.beat();
  some.beat();
  REQUIRE(all.replicas == some.replicas);
  for (int round = 0; round < 100; ++round) all.beat();
  const Duration passed = 98 * some.replicas[0].config().heartbeat;
  some.replicas[0].rounds_passed(passed);
  some.beat();
  some.beat();
  CHECK(some.now == all.now);
  CHECK(all.replicas == some.replicas);
}

}  // namespace photon::paxos::testing
