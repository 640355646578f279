// Limits of a server, on whole shards: batches in flight, batch sizes, a full queue, ids from the
// future.
#include <algorithm>
#include <vector>

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

// When, and with how many operations, batches of clients were proposed since the last clearing.
struct Proposed {
  Duration at{};
  std::uint32_t operations = 0;
  friend bool operator==(const Proposed&, const Proposed&) = default;
};
std::vector<Proposed> proposed(RegistryCluster& cluster, MonotonicTime since) {
  std::vector<Proposed> found;
  for (const trace::Record& record : cluster.world().decisions) {
    if (record.header.kind != trace::Kind::batch_proposed) continue;
    const Duration at = record.header.at.time_since_epoch() - since.time_since_epoch();
    if (at < Duration::zero()) continue;
    found.push_back({at, record.as<trace::BatchProposed>().operations});
  }
  return found;
}

TEST_CASE("B-22 with a linger the first operation waits for others, or until they fill a batch") {
  ClusterOptions options;
  options.server.linger = 50ms;
  options.server.thread.max_batch_operations = 3;
  options.world.delay_least = options.world.delay_most = 1ms;
  RegistryCluster cluster(options);
  const std::uint32_t master = cluster.wait_for_master();
  for (std::uint32_t user = 0; user < 2; ++user) {
    static_cast<void>(cluster.wait(user, cluster.lookup(user, kId)));  // they know the master
  }
  cluster.world().run_for(2s);
  const MonotonicTime begin = cluster.world().now();
  std::uint64_t last = cluster.insert(0, id_number(1), kT1);
  cluster.world().run_for(20ms);
  last = cluster.insert(0, id_number(2), kT1);
  static_cast<void>(cluster.wait(0, last));
  CHECK(proposed(cluster, begin) == std::vector<Proposed>{{51ms, 2}});
  // The wait begins anew with the next operation; the third one ends it.
  const MonotonicTime again = cluster.world().now();
  static_cast<void>(cluster.insert(0, id_number(3), kT1));
  cluster.world().run_for(10ms);
  static_cast<void>(cluster.insert(0, id_number(4), kT1));
  cluster.world().run_for(10ms);
  last = cluster.insert(1, id_number(5), kT1);
  static_cast<void>(cluster.wait(1, last));
  CHECK(proposed(cluster, again) == std::vector<Proposed>{{21ms, 3}});
  // Reads wait as well.
  const MonotonicTime read = cluster.world().now();
  static_cast<void>(cluster.wait(0, cluster.lookup(0, id_number(5))));
  CHECK(cluster.world().now() - read == 52ms);
  CHECK(cluster.server(master).overloaded() == 0);
  check_sound(cluster);
}

TEST_CASE("B-22 B-23 B-61 the values that are not configured are those of SPEC's appendix") {
  const RegistryServerOptions options;
  CHECK(options.thread.max_batch_operations == 4096);
  CHECK(options.linger == 0s);
  CHECK(options.gc_age == 3 * 24h);
  CHECK(options.boundary_period == 30s);
  CHECK(options.collect_period == 60s);
}

class Uses final : public UseSink {
 public:
  void use(const ResourceUse& now) override { all.push_back(now); }
  std::vector<ResourceUse> all;
};

void check_use(const ResourceUse& use, trace::Resource resource, std::uint64_t used,
               std::uint64_t limit, std::uint64_t waiting) {
  CHECK(use.resource == resource);
  CHECK(use.used == used);
  CHECK(use.limit == limit);
  CHECK(use.waiting == waiting);
}

TEST_CASE("B-31 B-24 a server reports its queue, and its batches in flight by number and bytes") {
  constexpr auto kTwo = static_cast<std::uint32_t>(kTransactionHeaderBytes + 2 * kInsertBytes);
  ClusterOptions options;
  options.server.consensus.config.pipeline_depth = 2;
  options.server.thread = {.max_queue = 70, .max_batch_operations = 5, .max_batch_bytes = kTwo + 9};
  RegistryCluster cluster(options);
  const std::uint32_t master = cluster.wait_for_master();
  static_cast<void>(cluster.wait(0, cluster.lookup(0, kId)));
  cluster.world().run_for(1s);
  const auto check = [&](std::uint64_t queued, std::uint64_t batches, std::uint64_t operations,
                         std::uint64_t bytes) {
    Uses uses;
    cluster.server(master).report_use(uses);
    REQUIRE(uses.all.size() == 4);
    check_use(uses.all[0], trace::Resource::registry_queue, queued, 70, 0);
    check_use(uses.all[1], trace::Resource::registry_transactions, batches, 2, queued);
    check_use(uses.all[2], trace::Resource::registry_batch, operations, 10, queued);
    check_use(uses.all[3], trace::Resource::registry_batch_bytes, bytes, 2 * (kTwo + 9), queued);
  };
  check(0, 0, 0, 0);
  cluster.world().drop = is_accept;
  static_cast<void>(cluster.insert(0, id_number(1), kT1));
  cluster.world().run_for(3ms);
  constexpr std::uint64_t kOne = kTransactionHeaderBytes + kInsertBytes;
  check(0, 1, 1, kOne);
  RegistryRequest request;
  request.request = 1;
  for (std::uint32_t number = 2; number < 5; ++number) {
    request.items.push_back({id_number(number), kT1, RegistryOperation::insert});
  }
  cluster.world().deliver({cluster.user_id(1), cluster.server_id(master), Body::make(request)},
                          1ms);
  cluster.world().run_for(3ms);
  check(1, 2, 3, kOne + kTwo + 9);  // a batch without room for one more is a full one
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
