// Requirements on the protocol, one scenario each, on a cluster of value types.
#include "tests/paxos/cluster_steps.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

using namespace std::chrono_literals;

void commit(Cluster& cluster, ReplicaIndex master, std::string_view text) {
  REQUIRE(cluster.propose(master, text));
  cluster.run_until(cluster.now() + 6s);  // late messages included
  REQUIRE(cluster.violation() == "");
  REQUIRE(cluster.applied(master).back() == text);
}

void isolate(Cluster& cluster, ReplicaIndex index, std::uint32_t replicas) {
  for (ReplicaIndex i = 0; i < replicas; ++i) {
    cluster.cut(index, i);
    cluster.cut(i, index);
  }
}

}  // namespace

TEST_CASE("B-11 a fresh group elects its preferred master within the first stagger") {
  Cluster cluster(quiet(5));
  cluster.run_until(1500ms);
  CHECK(cluster.master() == ReplicaIndex{0});
  CHECK(cluster.elections() == 1);
}

TEST_CASE("B-11 a dead master is replaced within lease, time-out and staggers") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    WorldOptions options = quiet(5);
    options.seed = seed;
    Cluster cluster(options);
    const ReplicaIndex first = await_master(cluster);
    cluster.run_until(cluster.now() + 3s);
    cluster.crash(first);
    // Time-out 2 s, five staggers of 300 ms, three exchanges of messages that may be late.
    const ReplicaIndex second = await_master(cluster, 8s);
    CHECK(second != first);
    CHECK(cluster.elections() <= 4);
  }
}

TEST_CASE("B-10 all replicas apply the same sequence") {
  Cluster cluster(quiet(5));
  const ReplicaIndex master = await_master(cluster);
  for (int i = 0; i < 20; ++i) {
    cluster.propose(master, fmt::format("c{}", i));
    cluster.run_until(cluster.now() + 300ms);
  }
  cluster.run_until(cluster.now() + 6s);
  REQUIRE(cluster.violation() == "");
  REQUIRE(cluster.applied(master).size() > 10);
  for (ReplicaIndex i = 0; i < 5; ++i) CHECK(cluster.applied(i) == cluster.applied(master));
}

TEST_CASE("B-14 an isolated master loses its authority and cannot commit") {
  Cluster cluster(quiet(5));
  const ReplicaIndex old = await_master(cluster);
  commit(cluster, old, "before");
  isolate(cluster, old, 5);
  REQUIRE(cluster.propose(old, "lost"));
  cluster.run_until(cluster.now() + 1800ms);  // its lease at most
  CHECK(!cluster.propose(old, "refused"));
  const ReplicaIndex fresh = await_master(cluster);
  REQUIRE(fresh != old);
  commit(cluster, fresh, "after");
  CHECK(cluster.applied(old).back() == "before");
  cluster.heal_links();
  cluster.run_until(cluster.now() + 10s);
  REQUIRE(cluster.violation() == "");
  CHECK(cluster.applied(old) == cluster.applied(fresh));
  for (const std::string& text : cluster.applied(fresh)) CHECK(text != "lost");
}

TEST_CASE("B-13 a lagging replica that wins serves only after applying what was chosen") {
  Cluster cluster(quiet(3));
  const ReplicaIndex first = await_master(cluster);
  const auto laggard = static_cast<ReplicaIndex>((first + 1) % 3);
  const auto other = static_cast<ReplicaIndex>((first + 2) % 3);
  cluster.cut(first, laggard);
  for (int i = 0; i < 6; ++i) {
    cluster.propose(first, fmt::format("c{}", i));
    cluster.run_until(cluster.now() + 400ms);
  }
  const auto chosen = cluster.ledger().chosen().size();
  REQUIRE(chosen >= 3);
  REQUIRE(cluster.applied(laggard).empty());
  cluster.crash(first);
  cluster.heal_links();
  for (ReplicaIndex i = 0; i < 3; ++i) cluster.cut(other, first);
  // The cluster itself checks the requirement at the moment when a master begins to serve.
  const ReplicaIndex master = await_master(cluster, 15s);
  CHECK(cluster.applied(master).size() >= chosen);
}

TEST_CASE(
    "B-17 BC-23 three of five down: nothing is chosen, no master serves; it heals by itself") {
  Cluster cluster(quiet(5));
  const ReplicaIndex master = await_master(cluster);
  commit(cluster, master, "before");
  std::vector<ReplicaIndex> down;
  for (ReplicaIndex i = 0; i < 5 && down.size() < 3; ++i) {
    if (i != master) down.push_back(i);
  }
  for (const ReplicaIndex i : down) cluster.crash(i);
  REQUIRE(cluster.propose(master, "in doubt"));
  cluster.run_until(cluster.now() + 20s);
  CHECK(cluster.ledger().chosen().size() == 1);
  CHECK(!cluster.master().has_value());
  CHECK(!cluster.propose(master, "refused"));
  for (const ReplicaIndex i : down) cluster.restart(i);
  const ReplicaIndex next = await_master(cluster, 15s);
  commit(cluster, next, "after");
  cluster.run_until(cluster.now() + 6s);
  // The command in doubt is decided one way, the same for all.
  for (ReplicaIndex i = 0; i < 5; ++i) CHECK(cluster.applied(i) == cluster.applied(next));
}

TEST_CASE("BC-24 a region of two replicas lost, the master included: the service continues") {
  Cluster cluster(quiet(5));
  const ReplicaIndex master = await_master(cluster);
  commit(cluster, master, "before");
  const auto neighbour = static_cast<ReplicaIndex>((master + 1) % 5);
  cluster.crash(master);
  cluster.crash(neighbour);
  const ReplicaIndex next = await_master(cluster);
  CHECK((next != master && next != neighbour));
  commit(cluster, next, "after");
  CHECK(cluster.applied(next) == std::vector<std::string>{"before", "after"});
}

TEST_CASE("B-12 B-18 all replicas crash at once and lose nothing that was chosen") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    WorldOptions options = quiet(3);
    options.seed = seed;
    Cluster cluster(options);
    const ReplicaIndex master = await_master(cluster);
    cluster.propose(master, "kept");
    cluster.run_until(cluster.now() + 300ms);
    const auto chosen = cluster.ledger().chosen();
    for (ReplicaIndex i = 0; i < 3; ++i) cluster.crash(i);
    for (ReplicaIndex i = 0; i < 3; ++i) cluster.restart(i);
    const ReplicaIndex next = await_master(cluster);
    REQUIRE(cluster.applied(next).size() >= chosen.size());
  }
}

TEST_CASE("B-24 a master keeps at most pipeline_depth slots open") {
  for (const std::uint32_t depth : {1U, 3U}) {
    WorldOptions options = quiet(3);
    options.pipeline_depth = depth;
    Cluster cluster(options);
    const ReplicaIndex master = await_master(cluster);
    for (std::uint32_t i = 0; i < depth; ++i) CHECK(cluster.propose(master, "taken"));
    CHECK(!cluster.propose(master, "refused"));
    cluster.run_until(cluster.now() + 1s);
    CHECK(cluster.propose(master, "taken again"));
  }
}

TEST_CASE("B-11 a replica that was cut off rejoins with one new election at most") {
  Cluster cluster(quiet(5));
  const ReplicaIndex master = await_master(cluster);
  const auto lonely = static_cast<ReplicaIndex>((master + 2) % 5);
  isolate(cluster, lonely, 5);
  cluster.run_until(cluster.now() + 30s);
  const auto before = cluster.elections();
  cluster.heal_links();
  cluster.run_until(cluster.now() + 10s);
  const ReplicaIndex next = await_master(cluster);
  CHECK(cluster.elections() <= before + 1);
  commit(cluster, next, "together");
  CHECK(cluster.applied(lonely).back() == "together");
}

TEST_CASE("J-S7 B-11 a restarted follower honours the grant of its former life") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    WorldOptions options = quiet(3);
    options.seed = seed;
    Cluster cluster(options);
    const ReplicaIndex master = await_master(cluster);
    const auto lonely = static_cast<ReplicaIndex>((master + 1) % 3);
    const auto grantor = static_cast<ReplicaIndex>((master + 2) % 3);
    isolate(cluster, lonely, 3);
    cluster.run_until(cluster.now() + 8s);  // by now it asks for promises all the time
    REQUIRE(cluster.master() == master);
    // The grantor forgets everything but its log and can reach the candidate only.
    cluster.crash(grantor);
    cluster.heal_links();
    isolate(cluster, master, 3);
    cluster.restart(grantor);
    cluster.run_until(cluster.now() + 8s);
    REQUIRE(cluster.violation() == "");  // no two masters at any instant
    CHECK((cluster.master() == lonely || cluster.master() == grantor));
  }
}

TEST_CASE("idle traffic of five replicas is about 27 messages a second") {
  Cluster cluster(quiet(5));
  const ReplicaIndex master = await_master(cluster);
  cluster.run_until(cluster.now() + 5s);
  std::uint64_t messages = 0;
  cluster.on_send = [&](ReplicaIndex, const Outgoing& outgoing) { messages += outgoing.to.size(); };
  cluster.run_until(cluster.now() + 30s);
  CHECK(cluster.master() == master);
  CHECK(messages > 30 * 20);
  CHECK(messages < 30 * 30);
}

TEST_CASE("a replica is a value: copies behave alike, equal states encode alike") {
  Config config;
  config.replicas = 1;
  Replica original(config, Recovered{}, MonotonicTime{});
  const auto bytes_of = [](const Replica& replica) {
    Bytes bytes;
    Encoder encoder(bytes);
    replica.encode_state(encoder);
    return bytes;
  };
  Replica copy = original;
  CHECK(copy == original);
  Output out;
  original.step(Input{original.next_wakeup(), Tick{}}, out);
  CHECK(!(copy == original));
  CHECK(bytes_of(copy) != bytes_of(original));
  Output again;
  copy.step(Input{copy.next_wakeup(), Tick{}}, again);
  CHECK(copy == original);
  CHECK(bytes_of(copy) == bytes_of(original));
  CHECK(out.records == again.records);
}

TEST_CASE("B-11 the counted lease is shorter than the granted one by twice the drift") {
  Config config;
  config.lease = 1500ms;
  config.drift_ppm = 200;
  CHECK(counted_lease(config) <= 1500ms - 600us);
  CHECK(counted_lease(config) >= 1500ms - 601us);
}

// Found by tests/mutants/scenarios/lost_disks.toml, seed 1: the commit index carried by a new log
// was recorded once more after it, which no recovery accepts.
TEST_CASE("B-18 records after a carried log continue it, whenever the log is requested") {
  Config config;
  config.self = 1;
  config.replicas = 3;
  const Ballot ballot = make_ballot(1, 0);
  Replica replica(config, Recovered{}, MonotonicTime{});
  const auto step = [&](auto&& event) {
    Output out;
    replica.step(Input{MonotonicTime{}, std::forward<decltype(event)>(event)}, out);
    return out.records;
  };
  const auto accept = [&](Slot slot, Slot commit) {
    return Received{0, Accept{ShardId{}, ballot, slot, commit, MonotonicTime{}, {value("x")}}};
  };
  const auto heartbeat = [&](Slot commit) {
    return Received{0, Heartbeat{ShardId{}, ballot, commit, MonotonicTime{}}};
  };
  for (Slot slot = 1; slot <= 3; ++slot) step(accept(slot, 0));
  step(heartbeat(1));
  step(Compact{1});
  const bool meanwhile = GENERATE(false, true);  // the log is busy, and the master continues
  if (meanwhile) CHECK(step(heartbeat(2)).empty());
  Recovered log = Recovered::above(replica.base());
  for (const LogRecord& record : replica.carried()) REQUIRE(log.absorb(record));
  if (!meanwhile) CHECK(step(heartbeat(2)).empty());
  for (const LogRecord& record : step(accept(4, 2))) REQUIRE(log.absorb(record));
  CHECK(log.commit == 2);
  CHECK(log.entries.size() == 3);
  CHECK(log.promised == ballot);
}

// Found by tests/mutants/scenarios/lost_disks.toml, seed 116.
TEST_CASE("B-12 B-18 a vote that a carried log no longer holds is not stated") {
  Config config;
  config.self = 1;
  config.replicas = 3;
  Replica replica(config, Recovered{}, MonotonicTime{});
  Output out;
  // Two masters, and nothing becomes durable meanwhile.
  for (const ReplicaIndex master : {ReplicaIndex{0}, ReplicaIndex{2}}) {
    const Accept accept{ShardId{}, make_ballot(1, master), 1, 0, MonotonicTime{}, {value("x")}};
    replica.step(Input{MonotonicTime{}, Received{master, accept}}, out);
  }
  CHECK(out.messages.empty());
  const PooledVector<LogRecord> carried = replica.carried();
  REQUIRE(carried.size() == 1);
  CHECK(carried[0].ballot == make_ballot(1, 2));
  replica.step(Input{MonotonicTime{}, Persisted{out.mark}}, out);
  REQUIRE(out.messages.size() == 1);
  CHECK(std::get<Accepted>(out.messages[0].message).ballot == make_ballot(1, 2));
}

}  // namespace photon::paxos::testing
