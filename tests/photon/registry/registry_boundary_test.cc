// Whole registry shards whose ids grow old: the boundary moves, and the ids are collected.
#include <algorithm>

#include "core_impl/photon/registry/registry_server.h"
#include "tests/photon/registry/registry_cases.h"

namespace photon {
namespace {

using namespace testing;

TEST_CASE("B-61 B-64 B-65 B-68 BC-11 BC-31 ids age, are refused as too old and are collected") {
  RegistryCluster cluster(short_memory());
  static_cast<void>(cluster.wait_for_master());
  const EventId id = id_now(cluster, 1);
  const EventId never_seen = id_now(cluster, 2);
  CHECK(cluster.wait(0, cluster.insert(0, id, kT1)).code == RegistryCode::inserted);
  for (std::uint32_t item = 10; item < 60; ++item) {
    static_cast<void>(cluster.insert(0, id_now(cluster, item), kT1));
  }
  // Not too early: at less than N of true age nothing is refused.
  while (cluster.world().now().time_since_epoch() < id.stamp.time_since_epoch() + 9900ms) {
    CHECK(cluster.wait(1, cluster.insert(1, id, kT2)).code == RegistryCode::already_exists);
    CHECK(cluster.wait(1, cluster.lookup(1, id)).code == RegistryCode::exists);
    cluster.world().run_for(95ms);
  }
  // Not too late: N + uncertainty + period + a commit.
  cluster.world().run_for(1300ms);
  CHECK(cluster.wait(0, cluster.insert(0, id, kT1)).code == RegistryCode::too_old);
  CHECK(cluster.wait(0, cluster.insert(0, never_seen, kT1)).code == RegistryCode::too_old);
  CHECK(cluster.wait(1, cluster.lookup(1, never_seen)).code == RegistryCode::too_old);
  cluster.world().run_for(10s);
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    CHECK(cluster.server(replica).store().size() == 0);
  }
  CHECK(cluster.wait(0, cluster.insert(0, id, kT1)).code == RegistryCode::too_old);
  check_sound(cluster);
}

TEST_CASE("B-69 inserts wait for no more than one slice of a long collection") {
  ClusterOptions options = short_memory();
  options.server.collect_limit = 20;
  RegistryCluster cluster(options);
  const std::uint32_t master = cluster.wait_for_master();
  constexpr std::uint32_t kOld = 4000;
  std::uint64_t last = 0;
  for (std::uint32_t item = 0; item < kOld; ++item) {
    last = cluster.insert(0, id_now(cluster, item), kT1);
  }
  static_cast<void>(cluster.wait(0, last));
  REQUIRE(cluster.server(master).store().size() == kOld);
  const auto collecting = [&] {
    const std::size_t size = cluster.server(master).store().size();
    return size < kOld && cluster.server(master).store().has_garbage();
  };
  REQUIRE(cluster.world().run_until(collecting, 30s));

  Duration longest{};
  std::uint32_t beside = 0;  // inserts answered while there was still something to collect
  for (std::uint32_t item = kOld; collecting(); ++item, ++beside) {
    const MonotonicTime asked = cluster.world().now();
    const EventId id = id_now(cluster, item);
    CHECK(cluster.wait(1, cluster.insert(1, id, kT1)).code == RegistryCode::inserted);
    longest = std::max(longest, Duration(cluster.world().now() - asked));
  }
  CHECK(beside > 20);
  CHECK(longest < 15ms);  // to the master and back, the slice in flight, its own commit
  check_sound(cluster);
}

TEST_CASE("B-62 BC-14 a new master whose clock is slow does not move the boundary back") {
  RegistryCluster cluster(short_memory());
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(20s);
  const Stamp before = cluster.server(master).store().boundary();
  CHECK(before > Stamp(1000s));
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    if (replica != master) cluster.world().true_time_lag[replica] = 15s;
  }
  cluster.world().crash(cluster.server_id(master));
  const std::uint32_t successor = cluster.wait_for_master();
  CHECK(cluster.server(successor).store().boundary() >= before);
  const auto moves = [&] {
    return std::ranges::count(cluster.world().decisions, trace::Kind::boundary_moved,
                              [](const trace::Record& record) { return record.header.kind; });
  };
  cluster.world().run_for(1s);  // every replica has applied the old master's last move
  const auto moved = moves();
  cluster.world().run_for(5s);
  CHECK(moves() == moved);  // what would not move it is not proposed
  CHECK(cluster.server(successor).store().boundary() >= before);
  cluster.world().run_for(20s);
  CHECK(cluster.server(successor).store().boundary() > before);
  cluster.restart(master);
  cluster.world().run_for(5s);
  check_sound(cluster);
}

TEST_CASE("A-34 B-63 the boundary follows TrueTime, whatever the calendar clocks show") {
  for (const Duration error : {Duration(-1h), Duration(1h)}) {
    RegistryCluster cluster(short_memory());
    for (std::uint32_t replica = 0; replica < 3; ++replica) {
      cluster.world().wall_error[replica] = error;
    }
    const std::uint32_t master = cluster.wait_for_master();
    const EventId id = id_now(cluster, 1);
    CHECK(cluster.wait(0, cluster.insert(0, id, kT1)).code == RegistryCode::inserted);
    cluster.world().run_for(9s);
    CHECK(cluster.wait(0, cluster.lookup(0, id)).code == RegistryCode::exists);  // not too early
    cluster.world().run_for(11s);
    const Stamp now(cluster.world().now().time_since_epoch());
    const Stamp boundary = cluster.server(master).store().boundary();
    CHECK(boundary <= now - 10s);
    CHECK(boundary > now - 11300ms);  // the uncertainty, a period, a commit
    check_sound(cluster);
  }
}

TEST_CASE("A-34 B-61 the boundary follows TrueTime's earliest, whatever the calendar clock shows") {
  RegistryCluster cluster(short_memory());
  // The calendar clocks here are exact; TrueTime's interval begins 15 s earlier.
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    cluster.world().true_time_lag[replica] = 15s;
  }
  const std::uint32_t master = cluster.wait_for_master();
  for (int second = 0; second < 30; ++second) {
    cluster.world().run_for(1s);
    const Duration age = cluster.world().now().time_since_epoch() -
                         cluster.server(master).store().boundary().time_since_epoch();
    CHECK(age >= 10s + 15s);
    if (second > 20) CHECK(age < 10s + 15s + 3s);  // it moves once a second
  }
  check_sound(cluster);
}

TEST_CASE("B-63 B-64 a timer of an earlier mastership begins nothing at a follower") {
  RegistryCluster cluster(short_memory());
  const std::uint32_t master = cluster.wait_for_master();
  CHECK(cluster.wait(0, cluster.insert(0, id_now(cluster, 1), kT1)).code == RegistryCode::inserted);
  cluster.world().run_for(5s);
  const std::uint32_t follower = (master + 1) % 3;
  const NodeId id = cluster.server_id(follower);
  // There is a boundary to move, and garbage to collect.
  const auto boundary = [&] { return cluster.server(follower).store().boundary(); };
  REQUIRE(cluster.world().run_until([&] { return cluster.server(follower).store().has_garbage(); },
                                    30s));
  const Stamp before = boundary();
  cluster.world().run_for(700ms);
  for (const TimerKind timer : {TimerKind{1}, TimerKind{2}}) {
    cluster.server(follower).on_timer(cluster.world().context(id), timer);
  }
  CHECK(cluster.server(follower).statistics().collections == 0);
  // Nothing was queued, which a new master would find.
  cluster.world().crash(cluster.server_id(master));
  cluster.world().crash(cluster.server_id((master + 2) % 3));
  cluster.restart((master + 2) % 3);
  static_cast<void>(cluster.wait_for_master());
  CHECK(boundary() >= before);
  check_sound(cluster);
}

TEST_CASE("B-71 without a quorum the boundary stays and costs nothing") {
  RegistryCluster cluster(short_memory());
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(5s);
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    if (replica != master) cluster.world().crash(cluster.server_id(replica));
  }
  cluster.world().run_for(5s);
  const Stamp before = cluster.server(master).store().boundary();
  cluster.world().run_for(1min);
  CHECK(cluster.server(master).store().boundary() == before);
  CHECK(cluster.server(master).statistics().transactions < 20);
}

}  // namespace
}  // namespace photon
