// Limits of a server, on whole shards: batches in flight, batch sizes, a full queue, ids from the
// future.
#include <algorithm>

#include "tests/photon/registry/registry_cases.h"

namespace photon {
namespace {

using namespace testing;

std::size_t batches(RegistryCluster& cluster) {
  return static_cast<std::size_t>(
      std::ranges::count(cluster.world().decisions, trace::Kind::batch_proposed,
                         [](const trace::Record& record) { return record.header.kind; }));
}

TEST_CASE("B-24 BC-04 depth 2: the second batch is proposed and decides only after the first") {
  ClusterOptions options;
  options.users = 3;
  options.server.consensus.config.pipeline_depth = 2;
  RegistryCluster cluster(options);
  static_cast<void>(cluster.wait_for_master());
  for (std::uint32_t user = 0; user < 3; ++user) {
    static_cast<void>(cluster.wait(user, cluster.lookup(user, kId)));
  }
  const std::size_t before = batches(cluster);
  cluster.world().drop = is_accept;
  const std::uint64_t first = cluster.insert(0, kId, kT1);
  cluster.world().run_for(5ms);
  const std::uint64_t second = cluster.insert(1, kId, kT2);
  cluster.world().run_for(5ms);
  CHECK(batches(cluster) == before + 2);
  const std::uint64_t third = cluster.insert(2, id_number(2), kT2);
  const std::uint64_t lookup = cluster.lookup(2, kId);
  cluster.world().run_for(5ms);
  CHECK(batches(cluster) == before + 2);  // no more than two
  CHECK(cluster.user(0).result(first) == nullptr);
  CHECK(cluster.user(1).result(second) == nullptr);
  CHECK(cluster.user(2).result(lookup) == nullptr);  // it waits for every batch before it
  cluster.world().drop = nullptr;
  CHECK(cluster.wait(0, first).code == RegistryCode::inserted);
  CHECK(cluster.wait(1, second).code == RegistryCode::already_exists);
  CHECK(cluster.wait(1, second).slot > cluster.wait(0, first).slot);
  CHECK(cluster.wait(2, third).code == RegistryCode::inserted);
  const RegistryCode seen = cluster.wait(2, lookup).code;
  CHECK((seen == RegistryCode::exists || seen == RegistryCode::unavailable));
  check_sound(cluster);
}

TEST_CASE("B-23 G-11 max_batch_operations = 1 switches batching off") {
  ClusterOptions options;
  options.server.thread.max_batch_operations = 1;
  RegistryCluster cluster(options);
  static_cast<void>(cluster.wait_for_master());
  cluster.world().decisions.clear();
  std::vector<std::uint64_t> tags;
  for (std::uint32_t item = 0; item < 40; ++item) {
    tags.push_back(cluster.insert(0, id_number(item), kT1));
  }
  for (const std::uint64_t tag : tags) static_cast<void>(cluster.wait(0, tag));
  CHECK(batches(cluster) >= 40);
  for (const trace::Record& record : cluster.world().decisions) {
    if (record.header.kind != trace::Kind::batch_proposed) continue;
    CHECK(record.as<trace::BatchProposed>().operations == 1);
  }
}

TEST_CASE("B-31 B-72 a full queue: overloaded is retried until every client has an answer") {
  ClusterOptions options;
  options.server.thread.max_queue = 3;
  options.server.thread.max_batch_operations = 2;
  RegistryCluster cluster(options);
  const std::uint32_t master = cluster.wait_for_master();
  std::vector<std::uint64_t> tags;
  for (std::uint32_t item = 0; item < 60; ++item) {
    tags.push_back(cluster.insert(item % 2, id_number(item / 2), item % 2 == 0 ? kT1 : kT2));
  }
  std::size_t winners = 0;
  for (std::uint32_t item = 0; item < 60; ++item) {
    if (cluster.wait(item % 2, tags[item]).code == RegistryCode::inserted) ++winners;
  }
  CHECK(winners == 30);
  CHECK(cluster.server(master).overloaded() > 10);
  check_sound(cluster);
}

EventId id_ahead(RegistryCluster& cluster, Duration ahead) {
  return EventId{7, 1, Stamp(cluster.world().now().time_since_epoch()) + ahead};
}

std::size_t future_inserts(RegistryCluster& cluster, std::uint32_t rejected) {
  std::size_t found = 0;
  for (const trace::Record& record : cluster.world().decisions) {
    if (record.header.kind != trace::Kind::future_insert) continue;
    CHECK(record.as<trace::FutureInsert>().rejected == rejected);
    CHECK(record.as<trace::FutureInsert>().ahead_nanoseconds > 0);
    ++found;
  }
  return found;
}

TEST_CASE("B-60f BC-30 an id more than S ahead of true time is counted, and served") {
  ClusterOptions options;
  options.server.skew_bound = 2s;
  RegistryCluster cluster(options);
  const std::uint32_t master = cluster.wait_for_master();
  CHECK(cluster.wait(0, cluster.insert(0, id_ahead(cluster, 1900ms), kT1)).code ==
        RegistryCode::inserted);
  CHECK(future_inserts(cluster, 0) == 0);
  CHECK(cluster.wait(0, cluster.insert(0, id_ahead(cluster, 2500ms), kT1)).code ==
        RegistryCode::inserted);
  CHECK(future_inserts(cluster, 0) == 1);
  CHECK(cluster.server(master).statistics().future == 1);
  check_sound(cluster);
}

TEST_CASE("B-60f BC-30 hardened: it is refused until time has come near enough, then served") {
  ClusterOptions options;
  options.server.skew_bound = 2s;
  options.server.future_ids = FutureIds::rejected;
  RegistryCluster cluster(options);
  const std::uint32_t master = cluster.wait_for_master();
  const EventId id = id_ahead(cluster, 10s);
  const std::uint64_t tag = cluster.insert(0, id, kT1);
  cluster.world().run_for(7s);
  CHECK(cluster.user(0).result(tag) == nullptr);
  CHECK(cluster.server(master).store().size() == 0);
  CHECK(cluster.server(master).statistics().future > 3);
  CHECK(future_inserts(cluster, 1) == cluster.server(master).statistics().future);
  const RegistryCompletion done = cluster.wait(0, tag);
  CHECK(done.code == RegistryCode::inserted);
  CHECK(cluster.world().now().time_since_epoch() + 2s + 10ms > id.stamp.time_since_epoch());
  check_sound(cluster);
}

}  // namespace
}  // namespace photon
