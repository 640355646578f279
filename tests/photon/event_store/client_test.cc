// The joiner's side of the EventStore: cache first, then the logs, and a definite end for each.
#include "core_impl/photon/event_store/client.h"

#include "tests/photon/event_store/primary_logs.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace photon::testing;
using namespace std::chrono_literals;

constexpr NodeId kSelf{20};
constexpr NodeId kLogStore{2};
constexpr TimerKind kTimer = 5;
const EventId kQuery = event_at(4, 1, 100s);

// The client's owner, reduced to what forwards to it.
struct Owner final : Node {
  explicit Owner(const EventStoreClientOptions& config) : client(config) {}
  void on_start(Context&) override {}
  void on_message(Context& context, NodeId, const Body& body) override {
    if (body.type() == QueryProgress::kType) {
      return client.on_progress(context, body.as<QueryProgress>());
    }
    client.on_reply(context, body.as<QueryReply>());
    drain();
  }
  void on_timer(Context& context, TimerKind) override {
    client.on_timer(context);
    drain();
  }
  void on_io(Context&, Ticket, IoResult&) override {}
  void drain() {
    while (auto outcome = client.take_result()) outcomes.push_back(*outcome);
  }
  EventStoreClient client;
  std::vector<EventStoreClient::Outcome> outcomes;
};

struct Fixture {
  FakeContext context{kSelf};
  Owner owner;

  explicit Fixture(std::vector<NodeId> caches = {NodeId{10}, NodeId{11}})
      : owner(config_with(caches)) {}
  static EventStoreClientOptions config_with(const std::vector<NodeId>& caches) {
    EventStoreClientOptions config;
    config.cache_nodes.assign(caches.begin(), caches.end());
    config.log_store = kLogStore;
    config.timer = kTimer;
    return config;
  }
  std::pair<NodeId, QueryRequest> last_request() const {
    REQUIRE_FALSE(context.sent_of<QueryRequest>().empty());
    return context.sent_of<QueryRequest>().back();
  }
  void reply(const QueryRequest& request, QueryStatus status, const EventId& returned = kQuery) {
    QueryReply answer{request.request, request.query, request.tier, status, {}, {}};
    if (status == QueryStatus::found) {
      answer.returned = returned;
      answer.payload = payload_of(returned);
    }
    owner.on_message(context, kLogStore, Body::make(std::move(answer)));
  }
};

}  // namespace

TEST_CASE("E-02 a hit in the cache ends the look-up") {
  Fixture fixture;
  fixture.owner.client.lookup(fixture.context, kQuery, 77);
  const auto [to, request] = fixture.last_request();
  CHECK(request.tier == QueryTier::cache);
  CHECK((to == NodeId{10} || to == NodeId{11}));
  fixture.reply(request, QueryStatus::found);
  REQUIRE(fixture.owner.outcomes.size() == 1);
  const auto& outcome = fixture.owner.outcomes.front();
  CHECK(outcome.tag == 77);
  CHECK(outcome.query == kQuery);
  CHECK(outcome.status == QueryStatus::found);
  CHECK(outcome.tier == QueryTier::cache);
  CHECK(outcome.payload == payload_of(kQuery));
  CHECK(fixture.owner.client.in_flight() == 0);
  fixture.reply(request, QueryStatus::found);  // duplicate
  CHECK(fixture.owner.outcomes.size() == 1);
}

TEST_CASE("E-08 a miss in the cache is never an answer: the logs decide") {
  const QueryStatus status =
      GENERATE(QueryStatus::found, QueryStatus::not_found, QueryStatus::error);
  Fixture fixture;
  fixture.owner.client.lookup(fixture.context, kQuery, 1);
  const QueryRequest to_cache = fixture.last_request().second;
  fixture.reply(to_cache, QueryStatus::not_found);
  CHECK(fixture.owner.outcomes.empty());
  const auto [to, request] = fixture.last_request();
  CHECK(to == kLogStore);
  CHECK(request.tier == QueryTier::logs);
  fixture.reply(to_cache, QueryStatus::not_found);  // duplicate of the miss
  CHECK(fixture.owner.outcomes.empty());
  fixture.reply(request, status);
  REQUIRE(fixture.owner.outcomes.size() == 1);
  CHECK(fixture.owner.outcomes.front().status == status);
  CHECK(fixture.owner.outcomes.front().tier == QueryTier::logs);
}

TEST_CASE("D-04 E-08 silence of the cache leads to the logs, silence of the logs to an error") {
  Fixture fixture;
  fixture.owner.client.lookup(fixture.context, kQuery, 1);
  const QueryRequest to_cache = fixture.last_request().second;
  fixture.context.fire(fixture.owner, kTimer);
  const auto [to, request] = fixture.last_request();
  CHECK(to == kLogStore);
  SECTION("the logs answer") {
    fixture.reply(request, QueryStatus::not_found);
    REQUIRE(fixture.owner.outcomes.size() == 1);
    CHECK(fixture.owner.outcomes.front().status == QueryStatus::not_found);
    CHECK(fixture.owner.outcomes.front().tier == QueryTier::logs);
  }
  SECTION("the cache's hit arrives after all") {
    fixture.reply(to_cache, QueryStatus::found);
    REQUIRE(fixture.owner.outcomes.size() == 1);
    CHECK(fixture.owner.outcomes.front().status == QueryStatus::found);
    CHECK(fixture.owner.outcomes.front().tier == QueryTier::cache);
    fixture.reply(request, QueryStatus::error);
    CHECK(fixture.owner.outcomes.size() == 1);
  }
  SECTION("no answer") {
    CHECK(*fixture.context.timer(kTimer) == fixture.context.now() + 2s);
    fixture.context.fire(fixture.owner, kTimer);
    REQUIRE(fixture.owner.outcomes.size() == 1);
    CHECK(fixture.owner.outcomes.front().status == QueryStatus::error);
    fixture.reply(request, QueryStatus::not_found);
    CHECK(fixture.owner.outcomes.size() == 1);
  }
}

TEST_CASE("E-20 D-04 a search in progress is awaited, silence is not") {
  Fixture fixture(std::vector<NodeId>{});
  fixture.owner.client.lookup(fixture.context, kQuery, 1);
  const QueryRequest request = fixture.last_request().second;
  const auto hear = [&](const QueryProgress& progress) {
    fixture.owner.on_message(fixture.context, kLogStore, Body::make(progress));
  };
  for (int i = 0; i < 10; ++i) {
    fixture.context.set_now(fixture.context.now() + 1500ms);
    hear({request.request, kQuery});
    fixture.owner.on_timer(fixture.context, kTimer);  // set for a time that has been postponed
  }
  CHECK(fixture.owner.outcomes.empty());
  SECTION("and is answered") {
    fixture.reply(request, QueryStatus::found);
    REQUIRE(fixture.owner.outcomes.size() == 1);
    CHECK(fixture.owner.outcomes.front().status == QueryStatus::found);
    hear({request.request, kQuery});  // late: not awaited any more
    CHECK(fixture.owner.client.in_flight() == 0);
  }
  SECTION("and becomes silent") {
    const EventId other = event_at(4, 1, 101s);
    fixture.context.set_now(fixture.context.now() + 1500ms);
    hear({request.request, other});
    hear({request.request + 1, kQuery});
    fixture.context.set_now(fixture.context.now() + 500ms);
    fixture.owner.on_timer(fixture.context, kTimer);
    REQUIRE(fixture.owner.outcomes.size() == 1);
    CHECK(fixture.owner.outcomes.front().status == QueryStatus::error);
  }
}

TEST_CASE("J-S19 a record with another id than the one requested is never returned as found") {
  const EventId other = event_at(4, 1, 101s);
  Fixture fixture;
  fixture.owner.client.lookup(fixture.context, kQuery, 1);
  fixture.reply(fixture.last_request().second, QueryStatus::found, other);
  CHECK(fixture.owner.outcomes.empty());
  fixture.reply(fixture.last_request().second, QueryStatus::found, other);
  REQUIRE(fixture.owner.outcomes.size() == 1);
  CHECK(fixture.owner.outcomes.front().status == QueryStatus::error);
  CHECK(fixture.owner.client.statistics().wrong_records == 2);
}

TEST_CASE("E-03 an answer to an earlier life of the process is ignored") {
  Fixture before;
  before.owner.client.lookup(before.context, kQuery, 1);
  before.reply(before.last_request().second, QueryStatus::not_found);
  const QueryRequest old = before.last_request().second;
  Fixture after;
  after.context.crash();  // the same process, its next life
  after.owner.client.lookup(after.context, kQuery, 2);
  after.reply(after.last_request().second, QueryStatus::not_found);
  after.reply(old, QueryStatus::not_found);
  CHECK(after.owner.outcomes.empty());
  after.reply(after.last_request().second, QueryStatus::found);
  REQUIRE(after.owner.outcomes.size() == 1);
  CHECK(after.owner.outcomes.front().status == QueryStatus::found);
}

TEST_CASE(
    "E-02 without cache nodes the logs are asked at once; a null id is a query like any other") {
  Fixture fixture(std::vector<NodeId>{});
  fixture.owner.client.lookup(fixture.context, EventId{}, 1);
  const auto [to, request] = fixture.last_request();
  CHECK(to == kLogStore);
  CHECK(request.tier == QueryTier::logs);
  fixture.reply(request, QueryStatus::not_found);
  REQUIRE(fixture.owner.outcomes.size() == 1);
  CHECK(fixture.owner.outcomes.front().status == QueryStatus::not_found);
}

TEST_CASE("D-03 thousands of look-ups share one timer and each ends exactly once") {
  Fixture fixture;
  for (std::uint64_t tag = 0; tag < 3000; ++tag) {
    fixture.owner.client.lookup(fixture.context, event_at(4, 1, Duration(tag)), tag);
    fixture.context.advance(1us);
  }
  int fired = 0;
  while (fixture.context.timer(kTimer)) {
    fixture.context.fire(fixture.owner, kTimer);
    fixture.context.advance(10ms);
    ++fired;
  }
  CHECK(fixture.owner.outcomes.size() == 3000);
  CHECK(fixture.owner.client.in_flight() == 0);
  CHECK(fired < 10);
  std::vector<bool> ended(3000);
  for (const auto& outcome : fixture.owner.outcomes) {
    CHECK_FALSE(ended[outcome.tag]);
    ended[outcome.tag] = true;
  }
}

}  // namespace photon
