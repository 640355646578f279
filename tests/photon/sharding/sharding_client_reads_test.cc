// The reads of a ShardingClient, one by one: which answers count, which replica it asks, how long
// it waits.
#include "core_impl/photon/sharding/sharding_client.h"
#include "tests/photon/sharding/fake_history.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::testing {
namespace {

using namespace std::chrono_literals;

constexpr NodeId kOne{50};
constexpr NodeId kTwo{51};
constexpr TimerKind kReads = 3;

struct Bench {
  Bench() : client(options()) {}
  static ShardingClientOptions options() {
    ShardingClientOptions options;
    options.timer = kReads;
    options.replicas = {kOne, kTwo};
    options.routing.skew_bound = 5s;
    options.request_timeout = 4s;
    options.retry_delay = 1s;
    return options;
  }
  std::size_t reads() { return context.sent_of<ShardingRead>().size(); }
  NodeId asked() { return context.sent_of<ShardingRead>().back().first; }
  std::uint64_t number() { return context.sent_of<ShardingRead>().back().second.request; }
  News answer(std::uint64_t request, std::uint64_t version) {
    return client.on_reply(context, kOne, history_reply(request, version, 4));
  }
  News refuse(NodeId from, NodeId hint) {
    ShardingReply reply;
    reply.request = number();
    reply.master_hint = hint;
    return client.on_reply(context, from, reply);
  }
  void fire() {
    context.set_now(std::max(context.now(), *context.timer(kReads)));
    context.cancel_timer(kReads);
    client.on_timer(context);
  }
  Routing routing(std::int64_t at) { return client.route(context, id_of(at, 4, 0)).routing; }

  FakeContext context{NodeId(1)};
  ShardingClient client;
};

}  // namespace

TEST_CASE("B-55 B-60c a history counts from the beginning of the attempt that it answers") {
  Bench bench;
  bench.context.set_now(MonotonicTime(100s));
  bench.context.true_time_error = 2s;
  bench.client.need(bench.context);
  const std::uint64_t first = bench.number();
  CHECK(bench.context.timer(kReads) == MonotonicTime(104s));
  bench.context.advance(1s);
  bench.client.need(bench.context);  // the read under way serves it
  CHECK(bench.reads() == 1);
  bench.fire();  // silence
  REQUIRE(bench.reads() == 2);
  CHECK(bench.asked() == kTwo);
  CHECK(bench.number() != first);
  CHECK(bench.answer(first, 1) == News::none);  // of an attempt that began earlier
  CHECK_FALSE(bench.client.router().view().has_value());
  bench.context.advance(1s);
  CHECK(bench.answer(bench.number(), 1) == News::history);
  // Begun at 104 s, when true time was at least 102 s; S is 5 s.
  CHECK(bench.client.router().view()->begun == MonotonicTime(104s));
  CHECK(bench.routing(107) == Routing::shard);
  CHECK(bench.routing(108) == Routing::outdated);
  CHECK(bench.answer(bench.number(), 2) == News::none);  // a second answer
  CHECK(bench.client.router().view()->version == 1);
  CHECK(bench.client.reads() == 2);
  // The one that answered as master is asked next.
  bench.client.need(bench.context);
  bench.fire();
  CHECK(bench.asked() == kOne);
}

TEST_CASE("B-55 after an answer the next read waits, and is made only where it is needed") {
  Bench bench;
  const bool needed = GENERATE(true, false);
  bench.client.need(bench.context);
  bench.context.advance(500ms);
  bench.answer(bench.number(), 1);
  if (needed) bench.client.need(bench.context);
  CHECK(bench.reads() == 1);
  // The timer was set for the answer, which would have been late at 4 s; the pause ends before.
  CHECK(bench.context.timer(kReads) == MonotonicTime(1500ms));
  bench.context.advance(900ms);
  bench.context.cancel_timer(kReads);
  bench.client.on_timer(bench.context);  // too early
  CHECK(bench.reads() == 1);
  CHECK(bench.context.timer(kReads) == MonotonicTime(1500ms));
  bench.fire();
  CHECK(bench.reads() == (needed ? 2 : 1));
  // The need has been served.
  if (needed) {
    bench.answer(bench.number(), 1);
    bench.fire();
    CHECK(bench.reads() == 2);
  }
  CHECK_FALSE(bench.context.timer(kReads).has_value());
  bench.client.on_timer(bench.context);  // idle: nothing to do
  CHECK_FALSE(bench.context.timer(kReads).has_value());
  bench.client.need(bench.context);  // reads at once
  CHECK(bench.reads() == (needed ? 3 : 2));
}

TEST_CASE("B-55 two replicas that name each other are not asked at the network's speed") {
  Bench bench;
  bench.client.need(bench.context);
  CHECK(bench.refuse(kOne, kTwo) == News::none);
  REQUIRE(bench.reads() == 2);
  CHECK(bench.asked() == kTwo);
  bench.refuse(kTwo, kOne);
  REQUIRE(bench.reads() == 3);
  bench.refuse(kOne, kTwo);
  CHECK(bench.reads() == 3);  // two redirects were followed
  CHECK(bench.context.timer(kReads) == MonotonicTime(1s));
  bench.fire();
  CHECK(bench.reads() == 4);
  // After a pause they are followed again.
  bench.refuse(bench.asked(), bench.asked() == kOne ? kTwo : kOne);
  CHECK(bench.reads() == 5);
}

TEST_CASE("B-55 a replica that knows no master is not asked again at once, but after a pause") {
  Bench bench;
  bench.client.need(bench.context);
  bench.refuse(kOne, kNoNode);
  CHECK(bench.reads() == 1);
  bench.fire();
  CHECK(bench.reads() == 2);
  CHECK(bench.asked() == kTwo);
}

}  // namespace photon::testing
