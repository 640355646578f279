#include "core_impl/photon/sharding/sharding_client.h"

#include "tests/photon/sharding/config_group.h"
#include "tests/support/paxos_payload.h"

namespace photon::testing {
namespace {

using namespace std::chrono_literals;

// Routes one id, and retries until it can.
class Reader final : public Node {
 public:
  using Inbox = Accepts<ShardingReply>;
  static constexpr TimerKind kTimer = 3;

  explicit Reader(const ShardingClientOptions& options) : client_(options) {}
  void on_start(Context&) override {}
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on(Context& context, NodeId from, const ShardingReply& reply) {
    if (client_.on_reply(context, from, reply) == News::history) again(context);
  }
  void on_timer(Context& context, TimerKind) override { client_.on_timer(context); }
  void on_io(Context&, Ticket, IoResult&) override {}

  void want(Context& context, const EventId& id) {
    looked_up_ = id;
    routed.reset();
    again(context);
  }

  std::optional<ShardId> routed{};
  const ShardingClient& client() const { return client_; }

 private:
  void again(Context& context) {
    if (!looked_up_) return;
    const RouteAnswer answer = client_.route(context, *looked_up_);
    if (answer.routing == Routing::shard) {
      routed = answer.shard;
      looked_up_.reset();
    } else {
      client_.need(context);
    }
  }

  ShardingClient client_;
  std::optional<EventId> looked_up_{};
};

struct Fixture {
  explicit Fixture(const RoutingOptions& routing = {}) {
    ShardingClientOptions options;
    options.timer = Reader::kTimer;
    options.replicas = {group.servers().begin(), group.servers().end()};
    options.routing = routing;
    id = group.world.add([options] { return std::make_unique<Reader>(options); });
    group.world.start(id);
  }
  Reader& reader() { return group.world.node<Reader>(id); }
  Stamp now() { return stamp_from(group.world.context(id).true_time().latest); }
  bool routes(Stamp stamp, Duration limit = 30s) {
    reader().want(group.world.context(id), EventId{1, 1, stamp});
    return group.world.run_until([&] { return reader().routed.has_value(); }, limit);
  }

  ConfigGroup group;
  NodeId id{};
};

RoutingOptions by_rule_2() {
  RoutingOptions options;
  options.skew_bound = kMargin;
  return options;
}

}  // namespace

TEST_CASE("B-51 B-55 the history is read where it is needed, under any master") {
  Fixture fixture(by_rule_2());
  CHECK(fixture.routes(fixture.now()));
  // One read is enough for every id that existed then.
  const auto reads = fixture.reader().client().reads();
  CHECK(fixture.routes(fixture.now() - 1h));
  CHECK(fixture.reader().client().reads() == reads);
  // The master dies: the next read finds its successor.
  fixture.group.world.crash(fixture.group.wait_for_master());
  fixture.group.world.run_for(1min);
  CHECK(fixture.routes(fixture.now()));
}

TEST_CASE("B-60c rule 2 a new id is not routed by an old history") {
  Fixture fixture(by_rule_2());
  REQUIRE(fixture.routes(fixture.now()));
  const NodeId master = fixture.group.wait_for_master();
  const Stamp start = fixture.group.soonest();
  const auto request = fixture.group.change(0, master, 0, start, 64);
  REQUIRE(fixture.group.answered(0, request).code == ShardingCode::ok);
  fixture.group.world.run_for(30s);
  // The reader's history is older than the change, the id is younger.
  REQUIRE(fixture.routes(start + 1s));
  CHECK(fixture.reader().client().router().view()->version == 2);
  CHECK(fixture.reader().routed ==
        fixture.group.at(master).history().map().shard_of(EventId{1, 1, start + 1s}));
}

TEST_CASE("B-60d ids of an announced change wait for the decision, others continue") {
  Fixture fixture(by_rule_2());
  const NodeId master = fixture.group.wait_for_master();
  const Stamp start = fixture.group.soonest();
  // The decision is lost.
  const paxos::Slot announcement = fixture.group.at(master).driver().applied_slot() + 1;
  fixture.group.world.drop = [=](const Sent& sent) {
    const auto* accept = testing::payload_in<paxos::Accept>(sent.body);
    return accept != nullptr && accept->first_slot > announcement;
  };
  fixture.group.change(0, master, 0, start, 64);
  REQUIRE(fixture.group.world.run_until(
      [&] { return fixture.group.at(master).history().open_change().has_value(); }, 5s));
  CHECK(fixture.routes(fixture.now()));
  CHECK_FALSE(fixture.routes(start + 1s, 20s));
  const auto reads = fixture.reader().client().reads();
  CHECK(reads < 20s / 200ms + 10);  // it pauses between reads
  fixture.group.world.drop = nullptr;
  CHECK(fixture.group.world.run_until([&] { return fixture.reader().routed.has_value(); }, 30s));
}

}  // namespace photon::testing
