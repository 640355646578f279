#include "core_impl/photon/sharding/sharding_operator.h"

#include "tests/photon/sharding/fake_history.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::testing {
namespace {

using namespace std::chrono_literals;

constexpr NodeId kFirst{50};
constexpr NodeId kSecond{51};

struct Bench {
  Bench() : node(options()) { node.on_start(context); }
  static ShardingOperatorOptions options() {
    ShardingOperatorOptions options;
    options.replicas = {kFirst, kSecond};
    options.at = LocalTime(30s);
    options.starts_in = 60s;
    options.shards = 4;
    return options;
  }
  void reply(const ShardingReply& reply, NodeId from = kFirst) {
    node.on_message(context, from, Body::make(ShardingReply{reply}));
  }
  void fire() { context.fire(node, 0); }
  ShardingRead last_read() { return context.sent_of<ShardingRead>().back().second; }
  ShardingChange last_change() { return context.sent_of<ShardingChange>().back().second; }
  std::size_t changes() { return context.sent_of<ShardingChange>().size(); }
  // Up to the question for the change.
  ShardingChange ask() {
    fire();
    reply(history_reply(last_read().request, 7, 2));
    REQUIRE(changes() == 1);
    return last_change();
  }
  ShardingReply answer(ShardingCode code) {
    ShardingReply reply = history_reply(last_change().request, 8, 2);
    reply.code = code;
    return reply;
  }

  FakeContext context{NodeId(1)};
  ShardingOperator node;
};

}  // namespace

TEST_CASE("B-54 B-60a an operator asks at its time, with the version that it has read") {
  Bench bench;
  CHECK(bench.context.sent.empty());
  const ShardingChange change = bench.ask();
  CHECK(bench.context.now() == MonotonicTime(30s));
  CHECK(change.version == 7);
  CHECK(change.shards == 4);
  CHECK(change.start == second(90));
  bench.reply(bench.answer(ShardingCode::ok));
  CHECK(bench.node.outcome() == ShardingCode::ok);
}

TEST_CASE("B-60a silence decides nothing: the same request goes to the next replica") {
  Bench bench;
  const ShardingChange change = bench.ask();
  bench.fire();
  REQUIRE(bench.changes() == 2);
  CHECK(bench.context.sent_of<ShardingChange>().back().first == kSecond);
  CHECK(bench.last_change().request == change.request);
  CHECK(bench.last_change().start == change.start);
  // The first copy has succeeded: the second is a conflict, but the change is in force.
  ShardingReply late = history_reply(change.request, 9, 2, change.start, 4);
  late.code = ShardingCode::conflict;
  bench.reply(late, kSecond);
  CHECK(bench.node.outcome() == ShardingCode::ok);
}

TEST_CASE("B-60a a change that merged with the interval before it is in force all the same") {
  Bench bench;
  const ShardingChange change = bench.ask();
  // It cancelled a scheduled change: the same number of shards applies from the beginning.
  ShardingReply merged = history_reply(change.request, 9, change.shards);
  SECTION("decided") {
    merged.code = ShardingCode::conflict;
    bench.reply(merged);
    CHECK(bench.node.outcome() == ShardingCode::ok);
  }
  SECTION("another change is open, and may set another number") {
    merged.code = ShardingCode::undecided;
    bench.reply(merged);
    CHECK_FALSE(bench.node.outcome().has_value());
  }
}

TEST_CASE("B-60a the operator that loses against another one starts again with a later t2") {
  Bench bench;
  const ShardingChange change = bench.ask();
  bench.reply(bench.answer(GENERATE(ShardingCode::conflict, ShardingCode::undecided)));
  CHECK_FALSE(bench.node.outcome().has_value());
  bench.fire();
  CHECK(bench.last_read().request != change.request);
  bench.reply(history_reply(bench.last_read().request, 11, 3));
  REQUIRE(bench.changes() == 2);
  CHECK(bench.last_change().version == 11);
  CHECK(bench.last_change().start > change.start);
}

TEST_CASE("B-54 t2 is counted from TrueTime's latest: no clock is beyond it") {
  Bench bench;
  bench.context.true_time_error = 3s;
  CHECK(bench.ask().start == second(93));
}

TEST_CASE("B-60a each question has a number of its own: answers to earlier ones decide nothing") {
  Bench bench;
  bench.fire();
  const std::uint64_t read = bench.last_read().request;
  bench.reply(history_reply(read, 7, 2));
  const ShardingChange change = bench.last_change();
  CHECK(change.request != read);
  bench.reply(history_reply(read, 7, 2));  // a copy
  CHECK_FALSE(bench.node.outcome().has_value());
  bench.reply(bench.answer(ShardingCode::conflict));
  bench.fire();
  const std::uint64_t again = bench.last_read().request;
  CHECK(again != read);
  CHECK(again != change.request);
  bench.reply(history_reply(read, 7, 2));  // an older history than the one that lost
  bench.reply(bench.answer(ShardingCode::ok));
  CHECK(bench.changes() == 1);
  CHECK_FALSE(bench.node.outcome().has_value());
  bench.reply(history_reply(again, 11, 3));
  CHECK(bench.changes() == 2);
}

TEST_CASE("B-60a an open change that is one's own is asked about again, with the same request") {
  Bench bench;
  const ShardingChange change = bench.ask();
  ShardingReply open = bench.answer(ShardingCode::undecided);
  open.decided_below = change.start;
  bench.reply(open);
  CHECK_FALSE(bench.node.outcome().has_value());
  // While it pauses, answers do not count.
  bench.reply(bench.answer(ShardingCode::ok));
  CHECK_FALSE(bench.node.outcome().has_value());
  CHECK(bench.context.timer(0) == bench.context.now() + 200ms);
  bench.fire();
  REQUIRE(bench.changes() == 2);
  CHECK(bench.last_change().request == change.request);
  CHECK(bench.last_change().start == change.start);
  // A pause is no silence: the same replica is asked.
  CHECK(bench.context.sent_of<ShardingChange>().back().first == kFirst);
  CHECK(bench.context.timer(0) == bench.context.now() + 1s);
  bench.reply(bench.answer(ShardingCode::ok));
  CHECK(bench.node.outcome() == ShardingCode::ok);
}

TEST_CASE("B-54 B-60d a refused or cancelled change is not tried again") {
  Bench bench;
  bench.ask();
  const ShardingCode code =
      GENERATE(ShardingCode::too_early, ShardingCode::refused, ShardingCode::cancelled);
  bench.reply(bench.answer(code));
  CHECK(bench.node.outcome() == code);
  while (bench.context.timer(0)) bench.fire();
  CHECK(bench.changes() == 1);
}

TEST_CASE("B-60a a replica that is not master is asked no further, the one it names is") {
  Bench bench;
  bench.ask();
  ShardingReply refusal;
  refusal.request = bench.last_change().request;
  refusal.master_hint = kSecond;
  bench.reply(refusal);
  bench.fire();
  CHECK(bench.context.sent_of<ShardingChange>().back().first == kSecond);
  CHECK_FALSE(bench.node.outcome().has_value());
}

TEST_CASE("an operator that starts after its time does nothing") {
  FakeContext context(NodeId(1));
  context.set_now(MonotonicTime(31s));
  ShardingOperator late(Bench::options());
  late.on_start(context);
  CHECK_FALSE(context.next_timer().has_value());
}

}  // namespace photon::testing
