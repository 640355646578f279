// The three ways in which a look-up can be served, on whole shards with failovers and cuts.
#include <algorithm>

#include "tests/photon/registry/registry_cases.h"

namespace photon {
namespace {

using namespace testing;

ClusterOptions in_mode(LookupMode mode) {
  ClusterOptions options;
  options.users = 3;
  options.lookup_mode = mode;
  return options;
}

// No message between that replica and the others; clients reach all of them.
void cut_from_peers(RegistryCluster& cluster, std::uint32_t replica) {
  cluster.world().drop = [&cluster, id = cluster.server_id(replica)](const Sent& sent) {
    const bool both_servers =
        sent.from.value() < cluster.replicas() && sent.to.value() < cluster.replicas();
    return both_servers && (sent.from == id || sent.to == id);
  };
}

TEST_CASE(
    "B-07 queue-ordered: a look-up waits for earlier inserts, outside the queue it does not") {
  for (const LookupMode mode : {LookupMode::queue_ordered, LookupMode::bypass}) {
    RegistryCluster cluster(in_mode(mode));
    const std::uint32_t master = cluster.wait_for_master();
    static_cast<void>(cluster.wait(0, cluster.lookup(0, kId)));  // all clients know the master
    static_cast<void>(cluster.wait(1, cluster.lookup(1, kId)));
    cluster.world().drop = is_accept;
    const std::uint64_t insert = cluster.insert(0, kId, kT1);
    cluster.world().run_for(5ms);
    const std::uint64_t lookup = cluster.lookup(1, kId);
    cluster.world().run_for(5ms);
    CHECK(cluster.user(0).result(insert) == nullptr);
    if (mode == LookupMode::queue_ordered) {
      CHECK(cluster.user(1).result(lookup) == nullptr);
    } else {
      REQUIRE(cluster.user(1).result(lookup) != nullptr);  // nothing that is not committed
      CHECK(cluster.user(1).result(lookup)->code == RegistryCode::not_found);
      CHECK(cluster.server(master).statistics().aside >= 1);
    }
    cluster.world().drop = nullptr;
    CHECK(cluster.wait(0, insert).code == RegistryCode::inserted);
    if (mode == LookupMode::queue_ordered) {
      CHECK(cluster.wait(1, lookup).code == RegistryCode::exists);
    }
    CHECK(cluster.wait(1, cluster.lookup(1, kId)).code == RegistryCode::exists);
    check_sound(cluster);
  }
}

TEST_CASE("B-07 B-14 M-04 bypass: a deposed master does not answer from its store") {
  RegistryCluster cluster(in_mode(LookupMode::bypass));
  const std::uint32_t old = cluster.wait_for_master();
  static_cast<void>(cluster.wait(1, cluster.lookup(1, kId)));  // user 1 still asks it
  cut_from_peers(cluster, old);
  CHECK(cluster.wait(0, cluster.insert(0, kId, kT1)).code == RegistryCode::inserted);
  CHECK(cluster.server(old).store().lookup(kId) == RegistryCode::not_found);
  CHECK(cluster.wait(1, cluster.lookup(1, kId)).code == RegistryCode::exists);
  check_sound(cluster);
}

TEST_CASE("B-07 B-13 bypass: the first look-up at a new master sees what was chosen before it") {
  RegistryCluster cluster(in_mode(LookupMode::bypass));
  for (std::uint32_t item = 0; item < 20; ++item) {
    static_cast<void>(cluster.wait(0, cluster.insert(0, id_number(item), kT1)));
  }
  cluster.world().crash(cluster.server_id(cluster.wait_for_master()));
  std::vector<std::uint64_t> lookups;
  for (std::uint32_t item = 0; item < 20; ++item) {
    lookups.push_back(cluster.lookup(1, id_number(item)));
  }
  for (const std::uint64_t lookup : lookups) {
    const RegistryCode code = cluster.wait(1, lookup).code;
    CHECK((code == RegistryCode::exists || code == RegistryCode::unavailable));
  }
  CHECK(cluster.wait(1, cluster.lookup(1, id_number(7))).code == RegistryCode::exists);
  check_sound(cluster);
}

TEST_CASE("B-07 B-27 bypass: a request of look-ups and inserts is answered whole, or not at all") {
  // The look-up was answered under the lease, but the reply waits for the insert: when authority
  // ends meanwhile, nothing definitive is sent.
  RegistryCluster cluster(in_mode(LookupMode::bypass));
  const std::uint32_t old = cluster.wait_for_master();
  static_cast<void>(cluster.wait(0, cluster.insert(0, id_number(9), kT1)));
  cut_from_peers(cluster, old);
  std::size_t definitive = 0;
  std::size_t others = 0;
  cluster.world().on_send = [&](const Sent& sent) {
    if (sent.body.type() != RegistryReply::kType || sent.from != cluster.server_id(old)) return;
    for (const RegistryResult& result : sent.body.as<RegistryReply>().results) {
      if (trace::is_definitive(result.code)) {
        ++definitive;
      } else {
        ++others;
        CHECK(result.slot == 0);
      }
    }
  };
  RegistryRequest request;
  request.request = 1;
  request.lookups = LookupMode::bypass;
  request.items.push_back({kId, Token{}, RegistryOperation::lookup});
  request.items.push_back({kId, kT2, RegistryOperation::insert});
  cluster.world().deliver({cluster.user_id(2), cluster.server_id(old), Body::make(request)}, 1ms);
  cluster.world().run_for(10s);
  CHECK(definitive == 0);
  CHECK(others == 2);
}

TEST_CASE("B-07 replica: the nearest one answers, also a lagging one, without a lease") {
  RegistryCluster cluster(in_mode(LookupMode::replica));
  const std::uint32_t master = cluster.wait_for_master();
  const std::uint32_t far = (master + 1) % 3;  // the nearest to the user of that number
  const std::uint32_t writer = master;
  cut_from_peers(cluster, far);
  cluster.world().run_for(5s);
  CHECK(cluster.wait(writer, cluster.insert(writer, kId, kT1)).code == RegistryCode::inserted);
  CHECK(cluster.wait(far, cluster.lookup(far, kId)).code == RegistryCode::not_found);
  CHECK(cluster.server(far).statistics().aside == 1);
  const std::uint32_t other = (master + 2) % 3;
  cluster.world().run_for(2s);
  CHECK(cluster.wait(other, cluster.lookup(other, kId)).code == RegistryCode::exists);
  CHECK(cluster.server(other).statistics().aside == 1);
  CHECK(cluster.server(master).statistics().aside == 0);
  cluster.world().drop = nullptr;
  cluster.world().run_for(5s);
  CHECK(cluster.wait(far, cluster.lookup(far, kId)).code == RegistryCode::exists);
  check_sound(cluster);
}

TEST_CASE("B-07 J-S4 replica: never from before what this client has seen or received") {
  RegistryCluster cluster(in_mode(LookupMode::replica));
  const std::uint32_t master = cluster.wait_for_master();
  const std::uint32_t far = (master + 1) % 3;
  SECTION("its own insert") {
    cut_from_peers(cluster, far);
    CHECK(cluster.wait(far, cluster.insert(far, kId, kT1)).code == RegistryCode::inserted);
    CHECK(cluster.wait(far, cluster.lookup(far, kId)).code == RegistryCode::exists);
  }
  SECTION("a removal by another client, after which it asks again") {
    static_cast<void>(cluster.wait(master, cluster.insert(master, kId, kT1)));
    cluster.world().run_for(5s);
    cut_from_peers(cluster, far);
    const RegistryCompletion removed = cluster.wait(master, cluster.remove(master, kId, kT1));
    REQUIRE(removed.code == RegistryCode::removed);
    REQUIRE(cluster.server(far).store().lookup(kId) == RegistryCode::exists);
    CHECK(cluster.wait(far, cluster.lookup(far, kId, removed.slot)).code ==
          RegistryCode::not_found);
  }
  CHECK(cluster.server(far).statistics().aside == 0);
  check_sound(cluster);
}

TEST_CASE("B-07 replica: without a majority look-ups are still answered, inserts are not") {
  RegistryCluster cluster(in_mode(LookupMode::replica));
  static_cast<void>(cluster.wait(0, cluster.insert(0, kId, kT1)));
  cluster.world().run_for(2s);
  cluster.world().crash(cluster.server_id(0));
  cluster.world().crash(cluster.server_id(1));
  const std::uint64_t insert = cluster.insert(2, kId, kT2);
  // The nearest to user 0 is down: after a time-out the next one is asked, which is down as well.
  for (const std::uint32_t user : {0U, 2U}) {
    RegistryCode code = cluster.wait(user, cluster.lookup(user, kId)).code;
    if (code == RegistryCode::unavailable)
      code = cluster.wait(user, cluster.lookup(user, kId)).code;
    CHECK(code == RegistryCode::exists);
  }
  CHECK(cluster.user(2).result(insert) == nullptr);
  check_sound(cluster);
}

TEST_CASE("B-07 replica: a restarted one answers when it has recovered, not before") {
  RegistryCluster cluster(in_mode(LookupMode::replica));
  static_cast<void>(cluster.wait(0, cluster.insert(0, kId, kT1)));
  cluster.world().run_for(2s);
  cluster.restart(1);
  const std::uint64_t early = cluster.lookup(1, kId);
  const RegistryCode code = cluster.wait(1, early).code;
  CHECK((code == RegistryCode::exists || code == RegistryCode::not_found));
  cluster.world().run_for(2s);
  CHECK(cluster.wait(1, cluster.lookup(1, kId)).code == RegistryCode::exists);
  check_sound(cluster);
}

TEST_CASE("B-07 B-73 replica: the nearest is tried again after a while") {
  const PooledVector<NodeId> near{NodeId(5), NodeId(6), NodeId(7)};
  NearestReplica nearest(near, 10s);
  MonotonicTime now(100s);
  CHECK(nearest.target(now) == NodeId(5));
  nearest.failed(NodeId(5), now);
  nearest.failed(NodeId(5), now);  // a second request that failed there
  CHECK(nearest.target(now) == NodeId(6));
  nearest.failed(NodeId(6), now + 1s);
  CHECK(nearest.target(now + 2s) == NodeId(7));
  CHECK(nearest.target(now + 11s) == NodeId(5));
}

}  // namespace
}  // namespace photon
