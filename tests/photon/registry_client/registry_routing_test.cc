// The client with a sharding history that changes under it.
#include <vector>

#include "core_impl/photon/registry_client/registry_client.h"
#include "tests/photon/sharding/fake_history.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::testing {
namespace {

using namespace std::chrono_literals;

constexpr NodeId kConfig{50};
constexpr TimerKind kRequests = 1;
constexpr TimerKind kSharding = 2;
constexpr Token kToken{1, 1, 1};

struct Bench {
  explicit Bench(Rule read_after_stamp = Rule::on, Duration lookup_deadline = 2s,
                 LookupMode lookups = LookupMode::queue_ordered)
      : client(options_of(read_after_stamp, lookup_deadline, lookups)) {}
  static RegistryClientOptions options_of(Rule read_after_stamp, Duration lookup_deadline,
                                          LookupMode lookups) {
    RegistryClientOptions options;
    options.lookup_mode = lookups;
    options.lookup_deadline = lookup_deadline;
    options.replicas = {{NodeId(10)}, {NodeId(11)}, {NodeId(12)}, {NodeId(13)}};
    options.sharding.emplace();
    options.sharding->replicas = {kConfig};
    options.sharding->routing.read_after_stamp = read_after_stamp;
    options.sharding->routing.skew_bound = 5s;
    return with_timers(std::move(options), kRequests, kSharding);
  }
  void insert(const EventId& id) {
    client.insert(id, kToken, 1);
    client.flush(context);
  }
  std::uint64_t read() { return context.sent_of<ShardingRead>().back().second.request; }
  std::size_t reads() { return context.sent_of<ShardingRead>().size(); }
  void history(const ShardingReply& reply) { client.on_sharding(context, kConfig, reply); }
  std::vector<std::pair<NodeId, RegistryRequest>> asked() {
    return context.sent_of<RegistryRequest>();
  }
  void answer(const RegistryRequest& request, NodeId from, RegistryCode code) {
    RegistryReply reply;
    reply.request = request.request;
    reply.shard = request.shard;
    for (const RegistryItem& item : request.items) {
      reply.results.push_back({item.id, item.token, 1, item.operation, code});
    }
    client.on_reply(context, from, reply);
  }
  void fire(TimerKind kind) {
    context.set_now(std::max(context.now(), *context.timer(kind)));
    kind == kRequests ? client.on_timer(context) : client.on_sharding_timer(context);
  }

  FakeContext context{NodeId(1)};
  RegistryClient client;
};

// An id of second 1 that two shards give to shard 1 and four to shard 3.
EventId moving() {
  EventId id = id_of(1, 2, 1);
  while (hash_of(id) % 4 != 3 || hash_of(id) % 2 != 1) ++id.process;
  return id;
}

}  // namespace

TEST_CASE("B-51 B-55 no request before the history is known, then to its shard") {
  Bench bench;
  const EventId id = id_of(1, 2, 1);
  bench.insert(id);
  CHECK(bench.asked().empty());
  REQUIRE(bench.reads() == 1);
  bench.history(history_reply(bench.read(), 0, 2));
  REQUIRE(bench.asked().size() == 1);
  CHECK(bench.asked()[0].first == NodeId(11));
  CHECK(bench.asked()[0].second.shard == ShardId(1));
  CHECK(bench.client.statistics().unrouted == 1);
}

TEST_CASE("B-60c rule 2 an id younger than the history waits for the next one, others do not") {
  Bench bench;
  bench.insert(id_of(1, 2, 0));
  bench.history(history_reply(bench.read(), 0, 2));
  REQUIRE(bench.asked().size() == 1);
  bench.context.set_now(MonotonicTime(20s));
  bench.insert(id_of(20, 2, 0));
  bench.insert(id_of(2, 2, 1));
  CHECK(bench.asked().size() == 2);
  bench.fire(kSharding);  // the pause after the first read is over
  REQUIRE(bench.reads() == 2);
  bench.history(history_reply(bench.read(), 2, 2, second(10), 4));
  REQUIRE(bench.asked().size() == 3);
  const auto shard = static_cast<std::uint32_t>(hash_of(id_of(20, 2, 0)) % 4);
  CHECK(bench.asked()[2].second.shard == ShardId(shard));
}

TEST_CASE(
    "B-60c rule 3 an id that a server refuses as wrong shard is asked elsewhere, by a newer "
    "history") {
  Bench bench(Rule::off);
  const EventId id = moving();
  bench.insert(id);
  bench.history(history_reply(bench.read(), 0, 2));
  REQUIRE(bench.asked().size() == 1);
  bench.answer(bench.asked()[0].second, NodeId(11), RegistryCode::wrong_shard);
  CHECK(bench.asked().size() == 1);  // not again with the same history
  bench.fire(kSharding);
  REQUIRE(bench.reads() == 2);
  bench.history(history_reply(bench.read(), 2, 4));
  REQUIRE(bench.asked().size() == 2);
  CHECK(bench.asked()[1].first == NodeId(13));
  CHECK(bench.asked()[1].second.items[0].token == kToken);  // the same attempt (D-11)
  bench.answer(bench.asked()[1].second, NodeId(13), RegistryCode::inserted);
  const auto done = bench.client.next();
  REQUIRE(done.has_value());
  CHECK(done->code == RegistryCode::inserted);
  CHECK_FALSE(bench.client.next().has_value());
  CHECK(bench.client.outstanding() == 0);
  CHECK(bench.client.in_flight() == 0);
}

TEST_CASE("B-60e a retry after a change goes to the shard of the first attempt, with its token") {
  Bench bench;
  const EventId id = moving();
  bench.insert(id);
  bench.history(history_reply(bench.read(), 0, 2));
  REQUIRE(bench.asked().size() == 1);
  bench.context.set_now(MonotonicTime(20s));
  bench.insert(id_of(20, 2, 0));  // too young: the history is read again
  bench.fire(kSharding);
  bench.history(history_reply(bench.read(), 2, 2, second(10), 4));
  const std::size_t before = bench.asked().size();
  while (bench.asked().size() == before) bench.fire(kRequests);
  const auto retry = bench.asked()[before];
  CHECK(retry.first == NodeId(11));
  CHECK(retry.second.request == bench.asked()[0].second.request);
  CHECK(retry.second.items[0].token == kToken);
}

TEST_CASE("B-58 BC-22 ids of a shard that was removed are asked at today's shard") {
  Bench bench(Rule::off);
  const EventId id = moving();
  bench.insert(id);
  bench.history(history_reply(bench.read(), 0, 4));
  REQUIRE(bench.asked().size() == 1);
  CHECK(bench.asked()[0].first == NodeId(13));
  bench.fire(kSharding);
  // Silence. After a round of it the history is read again; until then the shard is asked again.
  for (int silence = 0; silence < 3; ++silence) bench.fire(kRequests);
  CHECK(bench.asked().back().first == NodeId(13));
  REQUIRE(bench.reads() == 2);
  bench.history(history_reply(bench.read(), 3, 2));
  bench.fire(kRequests);
  CHECK(bench.asked().back().first == NodeId(11));
  bench.answer(bench.asked().back().second, NodeId(11), RegistryCode::too_old);
  REQUIRE(bench.client.next().has_value());
  CHECK(bench.client.outstanding() == 0);
  CHECK(bench.client.in_flight() == 0);
}

TEST_CASE("B-58 B-60e a request whose answered ids alone have moved stays the same request") {
  Bench bench(Rule::off);
  const EventId moved = moving();
  EventId stays = id_of(1, 4, 1);  // of shard 1 with two shards and with four
  bench.client.insert(moved, kToken, 1);
  bench.client.insert(stays, kToken, 2);
  bench.client.flush(bench.context);
  bench.history(history_reply(bench.read(), 0, 2));
  REQUIRE(bench.asked().size() == 1);
  RegistryRequest first = bench.asked()[0].second;
  REQUIRE(first.items.size() == 2);
  first.items.resize(1);
  bench.answer(first, NodeId(11), RegistryCode::inserted);
  bench.fire(kSharding);
  for (int silence = 0; silence < 3; ++silence) bench.fire(kRequests);
  REQUIRE(bench.reads() == 2);
  bench.history(history_reply(bench.read(), 2, 4));
  for (int silence = 0; silence < 3; ++silence) bench.fire(kRequests);
  CHECK(bench.client.statistics().requests == 1);
  CHECK(bench.client.statistics().repetitions == 6);
  for (const auto& [to, request] : bench.asked()) {
    CHECK(to == NodeId(11));
    CHECK(request.request == first.request);
  }
  CHECK(bench.asked().back().second.items.size() == 1);
}

TEST_CASE("B-72 an answer that decides nothing about a request neither ends nor delays it") {
  Bench bench(Rule::off, 2s, GENERATE(LookupMode::queue_ordered, LookupMode::replica));
  bench.client.lookup(moving(), 1);
  bench.client.flush(bench.context);
  bench.history(history_reply(bench.read(), 0, 2));
  REQUIRE(bench.asked().size() == 1);
  const RegistryRequest request = bench.asked()[0].second;
  const auto due = bench.context.timer(kRequests);
  RegistryRequest stranger = request;
  SECTION("it is empty") { stranger.items.clear(); }
  SECTION("it is about another id") { stranger.items[0].id = id_of(1, 4, 1); }
  bench.answer(stranger, NodeId(11), RegistryCode::not_found);
  CHECK(bench.context.timer(kRequests) == due);
  CHECK_FALSE(bench.client.next().has_value());
  bench.context.advance(500ms);
  bench.client.on_timer(bench.context);
  CHECK(bench.asked().size() == 1);  // the answer to it is still awaited
  bench.answer(request, NodeId(11), RegistryCode::not_found);
  REQUIRE(bench.client.next().has_value());
  CHECK(bench.client.in_flight() == 0);
}

TEST_CASE("B-73 a look-up that ends as unknown after a round of silence asks for no history") {
  const bool with_insert = GENERATE(false, true);
  Bench bench(Rule::off, 3s);
  bench.client.lookup(moving(), 1);
  if (with_insert) bench.client.insert(moving(), kToken, 2);
  bench.client.flush(bench.context);
  bench.history(history_reply(bench.read(), 0, 4));
  REQUIRE(bench.asked().size() == 1);
  bench.fire(kSharding);
  for (int silence = 0; silence < 3; ++silence) bench.fire(kRequests);
  CHECK(bench.asked().size() == (with_insert ? 4 : 3));
  CHECK(bench.reads() == (with_insert ? 2 : 1));
  const auto done = bench.client.next();
  REQUIRE(done.has_value());
  CHECK(done->code == RegistryCode::unavailable);
  CHECK(bench.client.in_flight() == (with_insert ? 1 : 0));
}

TEST_CASE("D-22 an insert counts for the shard it was sent to last, from then until its answer") {
  Bench bench(Rule::off);
  const auto at = [&](std::uint32_t shard) {
    return bench.client.outstanding_inserts(ShardId(shard));
  };
  bench.insert(moving());
  CHECK(at(1) == 0);  // not sent yet
  bench.history(history_reply(bench.read(), 0, 2));
  CHECK(at(1) == 1);
  bench.answer(bench.asked()[0].second, NodeId(11), RegistryCode::wrong_shard);
  CHECK(at(1) == 1);
  bench.fire(kSharding);
  bench.history(history_reply(bench.read(), 2, 4));
  CHECK(at(1) == 0);
  CHECK(at(3) == 1);
  bench.answer(bench.asked()[1].second, NodeId(13), RegistryCode::inserted);
  CHECK(at(3) == 0);
  CHECK(bench.client.in_flight() == 0);
}

}  // namespace photon::testing
