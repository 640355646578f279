#include "core_impl/photon/sharding/shard_guard.h"

#include <vector>

#include "tests/photon/sharding/fake_history.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::testing {
namespace {

constexpr NodeId kGroup{50};

RegistryRequest request_for(std::uint32_t shard, const std::vector<EventId>& ids) {
  RegistryRequest request;
  request.shard = ShardId(shard);
  for (const EventId& id : ids) request.items.push_back({id, {}, RegistryOperation::lookup});
  return request;
}

struct Bench {
  explicit Bench(ShardCheck check) : guard(options_of(check), ShardId(0)) {}
  static ShardGuardOptions options_of(ShardCheck check) {
    ShardGuardOptions options;
    options.check = check;
    options.map = ShardMap(2);
    options.history.timer = 3;
    options.history.replicas = {kGroup};
    options.history.routing.skew_bound = std::chrono::seconds(5);
    return options;
  }
  std::vector<std::uint32_t> foreign(const RegistryRequest& request) {
    const auto indices = guard.foreign(context, request);
    return {indices.begin(), indices.end()};
  }
  std::uint64_t read() {  // the number of the latest read of the history
    REQUIRE_FALSE(context.sent_of<ShardingRead>().empty());
    return context.sent_of<ShardingRead>().back().second.request;
  }

  FakeContext context{NodeId(1)};
  ShardGuard guard;
};

using Indices = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("B-30 BC-27 a fixed map: foreign ids are named, a request for another shard is foreign") {
  Bench bench(ShardCheck::by_map);
  const std::vector<EventId> ids{id_of(1, 2, 0), id_of(2, 2, 1), id_of(3, 2, 0)};
  CHECK(bench.foreign(request_for(0, ids)) == Indices{1});
  CHECK(bench.foreign(request_for(1, ids)) == Indices{0, 1, 2});
  CHECK(bench.context.sent.empty());
}

TEST_CASE(
    "B-60c rule 3 off: the client decides which ids are this shard's, unless it names another") {
  Bench bench(ShardCheck::off);
  const std::vector<EventId> ids{id_of(1, 2, 0), id_of(2, 2, 1)};
  CHECK(bench.foreign(request_for(0, ids)).empty());
  CHECK(bench.foreign(request_for(1, ids)) == Indices{0, 1});
}

TEST_CASE("B-60c rule 3: the server refuses by its own history, which must be fresh as well") {
  Bench bench(ShardCheck::by_history);
  const EventId old = id_of(100, 2, 0);
  // Nothing is known yet: refused, and the history is read.
  CHECK(bench.foreign(request_for(0, {old})) == Indices{0});
  bench.context.set_now(MonotonicTime(std::chrono::seconds(1)));
  bench.guard.on_reply(bench.context, kGroup, history_reply(bench.read(), 0, 2));
  CHECK(bench.foreign(request_for(0, {id_of(4, 2, 0), id_of(4, 2, 1)})) == Indices{1});
  // Too young for a history that was read at second 0: it is read again.
  CHECK(bench.foreign(request_for(0, {old})) == Indices{0});
  bench.context.set_now(MonotonicTime(std::chrono::seconds(100)));
  const auto reads = bench.context.sent_of<ShardingRead>().size();
  bench.guard.on_timer(bench.context);
  REQUIRE(bench.context.sent_of<ShardingRead>().size() == reads + 1);
  bench.guard.on_reply(bench.context, kGroup, history_reply(bench.read(), 2, 2, second(50), 4));
  const EventId moved = [] {
    EventId id = id_of(100, 2, 0);
    while (hash_of(id) % 4 != 2) ++id.process;
    return id;
  }();
  CHECK(bench.foreign(request_for(0, {moved, id_of(100, 4, 0), old})) ==
        (hash_of(old) % 4 == 0 ? Indices{0} : Indices{0, 2}));
}

TEST_CASE("B-60c BC-22 with a refusal the history is read: the client may know a later one") {
  Bench bench(ShardCheck::by_history);
  const EventId forgotten = [] {  // with three shards another's, with four ours
    EventId id = id_of(1, 4, 0);
    while (hash_of(id) % 4 != 0 || hash_of(id) % 3 == 0) ++id.process;
    return id;
  }();
  CHECK(bench.foreign(request_for(0, {forgotten})) == Indices{0});
  bench.context.set_now(MonotonicTime(std::chrono::seconds(1)));
  bench.guard.on_reply(bench.context, kGroup, history_reply(bench.read(), 2, 3, second(2), 4));
  CHECK(bench.foreign(request_for(0, {id_of(3, 4, 0)})).empty());
  const auto reads = bench.context.sent_of<ShardingRead>().size();
  bench.context.set_now(MonotonicTime(std::chrono::seconds(10)));
  CHECK(bench.foreign(request_for(0, {forgotten})) == Indices{0});
  bench.guard.on_timer(bench.context);
  REQUIRE(bench.context.sent_of<ShardingRead>().size() == reads + 1);
  // The interval with three shards is forgotten: its ids belong to the four.
  bench.guard.on_reply(bench.context, kGroup, history_reply(bench.read(), 3, 4));
  CHECK(bench.foreign(request_for(0, {forgotten})).empty());
}

}  // namespace photon::testing
