// Handover of mastership (handover.h): at once, without an overlap, and without losing progress.
#include "core_impl/paxos/master_mover.h"
#include "tests/paxos/cluster_steps.h"
#include "tests/paxos/driver_bench.h"
#include "tests/support/catch.h"
#include "tests/support/paxos_payload.h"

namespace photon::paxos::testing {
namespace {

using photon::testing::payload_in;

WorldOptions prompt(std::uint32_t replicas) {
  WorldOptions options = quiet(replicas);
  options.most_delay = 10ms;  // now and then up to 400 ms
  options.most_write = 2ms;
  return options;
}

bool await_master_at(Cluster& cluster, ReplicaIndex target, Duration limit) {
  const Duration end = cluster.now() + limit;
  while (cluster.master() != target && cluster.now() < end) cluster.run_until(cluster.now() + 5ms);
  REQUIRE(cluster.violation() == "");
  return cluster.master() == target;
}

}  // namespace

TEST_CASE("B-11 B-19 a master hands over: the target serves before any lease could have expired") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    WorldOptions options = prompt(5);
    options.seed = seed;
    Cluster cluster(options);
    const ReplicaIndex first = await_master(cluster);
    cluster.run_until(cluster.now() + 3s);
    const auto target = static_cast<ReplicaIndex>((first + 2) % 5);
    REQUIRE(cluster.propose(first, "under way"));
    cluster.hand_over(target);
    CHECK_FALSE(cluster.propose(first, "too late"));
    // A lease lasts 1500 ms, and an election begins 2 s after the last sign of life.
    CHECK(await_master_at(cluster, target, 1400ms));
    CHECK(cluster.handovers() == 1);
    CHECK(cluster.elections() == 2);
    CHECK(cluster.applied(target) == std::vector<std::string>{"under way"});
    CHECK(cluster.propose(target, "after"));
    cluster.run_until(cluster.now() + 2s);
    CHECK(cluster.applied(first) == std::vector<std::string>{"under way", "after"});
  }
}

TEST_CASE("B-19 a hand-over of an idle group takes messages, and no heartbeat of waiting") {
  int quick = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    WorldOptions options = prompt(5);
    options.seed = seed;
    Cluster cluster(options);
    const ReplicaIndex first = await_master(cluster);
    cluster.run_until(cluster.now() + 3s);
    const auto target = static_cast<ReplicaIndex>((first + 2) % 5);
    const Duration asked = cluster.now();
    cluster.hand_over(target);
    REQUIRE(await_master_at(cluster, target, 1400ms));
    // Five messages one after the other of 10 ms at most, but for the slow ones, and three writes.
    quick += cluster.now() - asked <= 100ms ? 1 : 0;
  }
  CHECK(quick >= 25);
}

TEST_CASE("B-19 a target that does not answer: the master continues after a time-out") {
  Cluster cluster(prompt(5));
  const ReplicaIndex master = await_master(cluster);
  const auto target = static_cast<ReplicaIndex>((master + 1) % 5);
  cluster.crash(target);
  cluster.hand_over(target);
  cluster.run_until(cluster.now() + 1s);
  CHECK_FALSE(cluster.propose(master, "not yet"));
  cluster.run_until(cluster.now() + 1500ms);
  CHECK(cluster.propose(master, "again"));
  CHECK(cluster.elections() == 1);
}

TEST_CASE("B-11 B-17 the hand-over itself is lost: the group elects as after a death") {
  Cluster cluster(prompt(5));
  const ReplicaIndex master = await_master(cluster);
  REQUIRE(cluster.propose(master, "kept"));
  cluster.run_until(cluster.now() + 2s);
  const auto target = static_cast<ReplicaIndex>((master + 1) % 5);
  bool transferred = false;
  cluster.on_send = [&](ReplicaIndex, const Outgoing& outgoing) {
    if (!std::holds_alternative<Transfer>(outgoing.message)) return;
    transferred = true;
    cluster.cut(master, target);
  };
  cluster.hand_over(target);
  cluster.run_until(cluster.now() + 1s);
  REQUIRE(transferred);
  CHECK_FALSE(cluster.master().has_value());
  cluster.heal_links();
  const ReplicaIndex next = await_master(cluster, 8s);
  CHECK(cluster.applied(next) == std::vector<std::string>{"kept"});
  CHECK(cluster.handovers() == 0);
}

TEST_CASE("B-11 a grant is dropped only for the mastership that it was given to") {
  Config config;
  config.self = 1;
  config.replicas = 3;
  const Ballot earlier = make_ballot(4, 0);
  const Ballot current = make_ballot(5, 0);
  MonotonicTime now(10s);
  Replica replica(config, Recovered{}, now);
  Output out;
  std::uint64_t mark = 0;
  const auto promises = [&](Ballot ballot, Ballot released) {
    out.clear();
    replica.step({now, Received{2, Prepare{config.group, ballot, 1, released}}}, out);
    replica.step({now, Persisted{out.mark}}, out);
    mark = out.mark;
    return std::ranges::any_of(out.messages, [](const Outgoing& outgoing) {
      return std::holds_alternative<Promise>(outgoing.message);
    });
  };
  replica.step({now, Received{0, Heartbeat{config.group, current, 0, now}}}, out);
  replica.step({now, Persisted{out.mark}}, out);
  CHECK_FALSE(promises(make_ballot(6, 2), Ballot{}));
  CHECK_FALSE(promises(make_ballot(6, 2), earlier));  // of a mastership before this one
  CHECK(promises(make_ballot(6, 2), current));
  CHECK(promises(make_ballot(6, 2), current));  // the promise was lost, and is repeated
}

TEST_CASE("B-11 a hand-over that arrives late changes no master") {
  Config config;
  config.self = 1;
  config.replicas = 3;
  const MonotonicTime now(10s);
  Replica replica(config, Recovered{}, now);
  Output out;
  replica.step({now, Received{2, Heartbeat{config.group, make_ballot(6, 2), 0, now}}}, out);
  replica.step({now, Persisted{out.mark}}, out);
  const Replica before = replica;
  replica.step({now, Received{0, Transfer{config.group, make_ballot(5, 0), 0}}}, out);
  CHECK(replica == before);
  // Nor does one of a master that this replica has promised nothing to.
  replica.step({now, Received{0, Transfer{config.group, make_ballot(7, 0), 0}}}, out);
  CHECK(replica == before);
  // Nor does one that names slots which this replica lacks.
  replica.step({now, Received{2, Transfer{config.group, make_ballot(6, 2), 7}}}, out);
  CHECK(std::holds_alternative<Follower>(replica.role()));
  replica.step({now, Received{2, Transfer{config.group, make_ballot(6, 2), 0}}}, out);
  CHECK(std::holds_alternative<Candidate>(replica.role()));
}

TEST_CASE("B-19 G-09 the preferred master becomes master again when it is fit") {
  WorldOptions options = prompt(5);
  options.return_after = GENERATE(0s, 3s);
  Cluster cluster(options);
  REQUIRE(await_master(cluster) == 0);
  cluster.crash(0);
  const ReplicaIndex second = await_master(cluster);
  REQUIRE(cluster.propose(second, "meanwhile"));
  cluster.run_until(cluster.now() + 10s);
  CHECK(cluster.master() == second);
  cluster.restart(0);
  cluster.run_until(cluster.now() + 2500ms);
  CHECK(cluster.master() == second);  // not before its probation ends
  CHECK(await_master_at(cluster, 0, 10s) == (options.return_after > Duration{}));
  const ReplicaIndex last = await_master(cluster);
  CHECK(cluster.applied(last) == std::vector<std::string>{"meanwhile"});
  cluster.run_until(cluster.now() + 20s);
  CHECK(cluster.elections() == (last == 0 ? 3 : 2));  // and it stays
}

TEST_CASE("B-19 drivers: a replica that is asked to hand over answers whether it is master") {
  Three group;
  for (ReplicaIndex i = 0; i < 3; ++i) group.start(i);
  group.propose("before");
  const auto master = static_cast<std::size_t>(group.master().driver.replica().config().self);
  const auto target = (master + 1) % 3;
  const auto ask = [&] {
    const NodeId mover(200);
    std::vector<Authority> reports;
    group.lost = [&](std::size_t, std::size_t, const Body&) { return false; };
    for (std::size_t i = 0; i < 3; ++i) {
      const MoveMaster order{ShardId(5), static_cast<ReplicaIndex>(target), 1};
      group.contexts[i]->sent.clear();
      group.servers[i]->on_message(*group.contexts[i], mover, Body::make(Envelope{order}));
      for (const auto& sent : group.contexts[i]->sent) {
        if (sent.to != mover) continue;
        const auto* report = payload_in<MasterReport>(sent.body);
        REQUIRE(report != nullptr);
        reports.push_back(report->authority);
      }
      std::erase_if(group.contexts[i]->sent, [&](const auto& sent) { return sent.to == mover; });
    }
    group.settle();
    return reports;
  };
  std::vector<Authority> expected(3, Authority::no);
  expected[master] = Authority::yes;
  CHECK(ask() == expected);
  CHECK(&group.master() == group.servers[target].get());
  CHECK(group.servers[master]->lost == 1);
  expected = std::vector<Authority>(3, Authority::no);
  expected[target] = Authority::yes;
  CHECK(ask() == expected);
  group.propose("after");
  CHECK(group.servers[target]->applied == std::vector<std::string>{"before", "after"});
}

TEST_CASE("B-19 a driver ignores a request to hand over another group") {
  Three group;
  for (ReplicaIndex i = 0; i < 3; ++i) group.start(i);
  group.propose("before");
  const ReplicaIndex master = group.master().driver.replica().config().self;
  FakeContext& context = *group.contexts[master];
  REQUIRE(context.sent.empty());
  const MoveMaster order{ShardId(6), static_cast<ReplicaIndex>((master + 1) % 3), 1};
  group.servers[master]->on_message(context, NodeId(200), Body::make(Envelope{order}));
  CHECK(context.sent.empty());
  CHECK(group.servers[master]->driver.can_propose(context));
}

TEST_CASE(
    "B-19 a driver that recovers, or whose disk is damaged, answers no request to hand over") {
  Single single;
  Server& server = *(single.server = std::make_unique<Server>(single.options));
  server.on_start(single.context);
  SECTION("it recovers") { REQUIRE(server.driver.health() == Health::recovering); }
  SECTION("its disk is damaged") {
    single.context.disks[kDisk].begin()->second.pop_back();
    single.context.complete_all(server);
    REQUIRE(server.driver.health() == Health::damaged);
  }
  const MoveMaster order{ShardId(5), 0, 1};
  server.on_message(single.context, NodeId(200), Body::make(Envelope{order}));
  CHECK(single.context.sent.empty());
}

TEST_CASE("B-19 a mover asks all replicas until the target is master, or its time limit passes") {
  FakeContext context(NodeId(200));
  MasterMoverOptions options;
  options.group = ShardId(5);
  options.members = {NodeId(100), NodeId(101), NodeId(102)};
  options.to = 2;
  options.at = context.wall() + 3s;
  MasterMover mover(options);
  mover.on_start(context);
  CHECK(context.sent.empty());
  const auto fire = [&] {
    context.set_now(*context.timer(0));
    context.sent.clear();
    context.fire(mover, 0);
    return context.sent.size();
  };
  CHECK(fire() == 3);
  const auto answer = [&](std::uint32_t from, Authority authority) {
    mover.on_message(context, NodeId(from),
                     Body::make(Envelope{MasterReport{ShardId(5), 1, authority}}));
  };
  answer(100, Authority::yes);
  answer(102, Authority::no);
  mover.on_message(context, NodeId(102),
                   Body::make(Envelope{MasterReport{ShardId(6), 1, Authority::yes}}));
  mover.on_message(context, NodeId(102),
                   Body::make(Envelope{MasterReport{ShardId(5), 0, Authority::yes}}));
  CHECK_FALSE(mover.outcome().has_value());
  CHECK(fire() == 3);
  SECTION("moved") {
    answer(102, Authority::yes);
    CHECK(mover.outcome() == MoveOutcome::moved);
    CHECK_FALSE(context.timer(0).has_value());
  }
  SECTION("given up") {
    int rounds = 2;
    while (!mover.outcome()) rounds += fire() == 3 ? 1 : 0;
    CHECK(mover.outcome() == MoveOutcome::given_up);
    answer(102, Authority::yes);  // too late
    CHECK(mover.outcome() == MoveOutcome::given_up);
    CHECK(rounds == 40);
  }
}

}  // namespace photon::paxos::testing
