#include "core_impl/photon/sharding/shard_retirement.h"

#include "tests/photon/sharding/fake_history.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::testing {
namespace {

using namespace std::chrono_literals;

constexpr NodeId kConfig{50};
constexpr NodeId kOther{51};  // of the configuration group

struct Bench {
  Bench() : node(options()) { node.on_start(context); }
  static ShardRetirementOptions options() {
    ShardRetirementOptions options;
    options.configuration = {kConfig, kOther};
    options.shards = {{NodeId(10), NodeId(20)}, {NodeId(11)}, {NodeId(12)}, {NodeId(13)}};
    options.period = 10s;
    return options;
  }
  std::uint64_t round() { return context.sent_of<ShardingRead>().back().second.request; }
  // Three shards below second 100, two from there on.
  void history() {
    node.on_message(context, kConfig, Body::make(history_reply(round(), 4, 3, second(100), 2)));
  }
  void boundary(std::uint32_t shard, Stamp stamp, std::uint64_t request) {
    node.on_message(context, NodeId(10 + shard),
                    Body::make(BoundaryReply{request, ShardId(shard), stamp}));
  }
  std::size_t requests() { return context.sent_of<ShardingForget>().size(); }
  NodeId asked() { return context.sent_of<ShardingRead>().back().first; }
  std::size_t boundaries_asked() { return context.sent_of<BoundaryRead>().size(); }

  FakeContext context{NodeId(1)};
  ShardRetirement node;
};

}  // namespace

TEST_CASE("B-60b B-70 an interval is forgotten when the boundary of every shard has passed it") {
  Bench bench;
  bench.history();
  CHECK(bench.context.sent_of<BoundaryRead>().size() == 3);  // no other shard ever owned an id
  bench.boundary(0, second(100), bench.round());
  bench.boundary(0, second(101), bench.round());  // twice the same one
  bench.boundary(2, second(100), bench.round());
  CHECK(bench.requests() == 0);
  SECTION("the last one has passed too") {
    bench.boundary(1, second(100), bench.round());
    REQUIRE(bench.requests() == 1);
    const ShardingForget forget = bench.context.sent_of<ShardingForget>()[0].second;
    CHECK(forget.version == 4);
    CHECK(forget.below == second(100));
  }
  SECTION("the last one has not: nothing, and the next round asks all of them again") {
    bench.boundary(1, second(100) - Duration(1), bench.round());
    CHECK(bench.requests() == 0);
    const std::uint64_t earlier = bench.round();
    bench.context.fire(bench.node, 0);
    bench.history();
    bench.boundary(1, second(200), earlier);  // of the round before: not awaited
    bench.boundary(0, second(200), bench.round());
    bench.boundary(2, second(200), bench.round());
    CHECK(bench.requests() == 0);
    bench.boundary(1, second(200), bench.round());
    CHECK(bench.requests() == 1);
  }
}

TEST_CASE("B-60b late copies of answers ask for nothing more") {
  Bench bench;
  const std::uint64_t first = bench.round();
  bench.boundary(0, second(100), first);  // nothing is awaited yet
  bench.history();
  bench.history();
  CHECK(bench.boundaries_asked() == 3);
  for (const std::uint32_t shard : {0U, 1U, 2U}) bench.boundary(shard, second(100), first);
  CHECK(bench.requests() == 1);
  CHECK(bench.context.sent_of<ShardingForget>()[0].second.request == first);
  for (const std::uint32_t shard : {0U, 1U, 2U}) bench.boundary(shard, second(100), first);
  bench.history();
  CHECK(bench.boundaries_asked() == 3);
  CHECK(bench.requests() == 1);
  // Nor does the history of an earlier round begin a later one.
  bench.context.fire(bench.node, 0);
  bench.node.on_message(bench.context, kConfig,
                        Body::make(history_reply(first, 4, 3, second(1), 2)));
  CHECK(bench.boundaries_asked() == 3);
}

TEST_CASE("B-60b each round asks the next replica: after silence, after a refusal, in turn") {
  Bench bench;
  CHECK(bench.asked() == kConfig);
  CHECK(bench.context.timer(0) == MonotonicTime(10s));  // a round each period
  SECTION("the configuration group's replica is silent") {
    bench.context.fire(bench.node, 0);
    CHECK(bench.asked() == kOther);
  }
  SECTION("it is not master and names one: nothing more in this round") {
    ShardingReply refusal;
    refusal.request = bench.round();
    refusal.master_hint = kOther;
    bench.node.on_message(bench.context, kConfig, Body::make(std::move(refusal)));
    bench.history();  // of this round, which is over
    CHECK(bench.boundaries_asked() == 0);
    bench.context.fire(bench.node, 0);
    CHECK(bench.asked() == kOther);
  }
  SECTION("it answers: the next round asks it again, and other replicas of the shards") {
    bench.history();
    bench.context.fire(bench.node, 0);
    CHECK(bench.asked() == kConfig);
    bench.history();
    const auto asked = bench.context.sent_of<BoundaryRead>();
    REQUIRE(asked.size() == 6);
    CHECK(asked[0].first != asked[3].first);  // of shard 0, which has two
    CHECK(asked[1].first == asked[4].first);
    CHECK(bench.context.timer(0) == MonotonicTime(20s));
  }
  SECTION("it answered, and another one was believed to be master: the request goes to it") {
    bench.context.fire(bench.node, 0);
    bench.node.on_message(bench.context, kConfig,
                          Body::make(history_reply(bench.round(), 4, 3, second(100), 2)));
    for (const std::uint32_t shard : {0U, 1U, 2U})
      bench.boundary(shard, second(100), bench.round());
    REQUIRE(bench.requests() == 1);
    CHECK(bench.context.sent_of<ShardingForget>()[0].first == kConfig);
  }
}

TEST_CASE("B-60b the only interval is never forgotten") {
  Bench bench;
  bench.node.on_message(bench.context, kConfig, Body::make(history_reply(bench.round(), 0, 3)));
  CHECK(bench.context.sent_of<BoundaryRead>().empty());
  bench.boundary(0, second(100), bench.round());
  CHECK(bench.requests() == 0);
}

}  // namespace photon::testing
