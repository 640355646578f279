// A joiner that receives a stop request; caps for one shard; repetitions without tokens.

#include <set>

#include "tests/photon/joiner/joiner_world.h"
#include "tests/photon/sharding/fake_history.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

using Outcomes = std::vector<JoinOutcome>;

}  // namespace

TEST_CASE("D-23 asked to stop: refuses, finishes its window, and only then may be ended") {
  JoinerWorld world;
  world.config.max_window = 3;
  world.config.max_outstanding_registry = 3;
  world.registry_receives = false;
  world.start();
  world.harness.run_for(100ms);
  std::vector<std::uint64_t> requests;
  for (std::uint32_t i = 0; i < 5; ++i) requests.push_back(world.ask(i));
  world.harness.run_for(100ms);
  REQUIRE(world.joiner->window() == 3);
  CHECK_FALSE(world.joiner->may_end());
  world.joiner->on_stop(world.harness);
  world.harness.run_for(100ms);
  // Unregistered clicks are returned; registered ones no other joiner could write.
  CHECK(world.answers_of(requests[3]) == Outcomes{JoinOutcome::stopping});
  CHECK(world.answers_of(requests[4]) == Outcomes{JoinOutcome::stopping});
  CHECK(world.answers_of(requests[0]).empty());
  const auto late = world.ask(9);
  world.harness.run_for(100ms);
  CHECK(world.answers_of(late) == Outcomes{JoinOutcome::stopping});
  CHECK_FALSE(world.joiner->may_end());
  world.registry_receives = true;
  world.harness.io_fate = [](const VolumeRequest&) { return IoFate::lost; };
  world.harness.run_for(20s);
  CHECK(world.registry.ids.size() == 3);
  CHECK_FALSE(world.joiner->may_end());  // registered, not durable
  world.harness.io_fate = nullptr;
  world.harness.run_for(5s);
  CHECK(world.joiner->may_end());
  CHECK(world.output().size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(world.answers_of(requests[i]) == Outcomes{JoinOutcome::joined});
  }
}

TEST_CASE("D-23 an attempt that still looks up its query is returned when the answer arrives") {
  JoinerWorld world;
  world.query_delay = 500ms;
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(100ms);
  world.joiner->on_stop(world.harness);
  CHECK_FALSE(world.joiner->may_end());
  world.harness.run_for(1s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::stopping});
  CHECK(world.joiner->may_end());
  CHECK(world.registry.ids.empty());
  CHECK(world.output().empty());
}

namespace {

// Two shards; messages to shard 0 are lost.
struct TwoShards {
  explicit TwoShards(std::uint32_t per_shard) {
    world.config.registry.shards = ShardMap(2);
    world.config.registry.replicas = {{JoinerWorld::kRegistry}, {JoinerWorld::kRegistry}};
    world.config.max_outstanding_registry = 10;
    world.config.max_window = 10;
    world.config.max_outstanding_per_shard = per_shard;
    world.reply_copies = [](const RegistryRequest& request) {
      return request.shard == ShardId(0) ? 0 : 1;
    };
    world.start();
    world.harness.run_for(100ms);
  }
  // 40 clicks, one after the other; how many of shard 1 are joined.
  std::size_t joined() {
    const ShardMap map(2);
    std::size_t of_other = 0;
    for (std::uint32_t i = 0; i < 40; ++i) {
      of_other += map.shard_of(click_id(i)) == ShardId(1) ? 1U : 0U;
      world.ask(i);
      world.harness.run_for(100ms);
    }
    REQUIRE(of_other > 12);
    REQUIRE(of_other < 28);
    live = of_other;
    return world.output().size();
  }
  JoinerWorld world;
  std::size_t live = 0;
};

}  // namespace

TEST_CASE("D-22 a shard that is down uses up the joiner's cap, and stops all shards") {
  TwoShards shards(0);
  const std::size_t joined = shards.joined();
  CHECK(joined < shards.live / 2 + 5);
  CHECK(shards.world.joiner->window() == 10);
  CHECK(shards.world.joiner->statistics().answered(JoinOutcome::registry_throttled) > 5);
}

TEST_CASE("D-22 with a cap for each shard the other shards continue") {
  TwoShards shards(4);
  CHECK(shards.joined() == shards.live);
  CHECK(shards.world.joiner->window() == 4);
  // What exceeds the cap of the shard that is down returns to the dispatcher.
  CHECK(shards.world.joiner->statistics().answered(JoinOutcome::registry_throttled) ==
        40 - shards.live - 4);
  shards.world.reply_copies = nullptr;
  shards.world.harness.run_for(60s);
  CHECK(shards.world.output().size() == shards.live + 4);
  CHECK(shards.world.joiner->window() == 0);
}

namespace {

// Two shards, a cap of 4 for each, and a history that the test delivers. Messages to shard 0 are
// not answered.
struct LateHistory {
  LateHistory() {
    world.config.registry.replicas = {{JoinerWorld::kRegistry}, {JoinerWorld::kRegistry}};
    world.config.registry.sharding.emplace();
    world.config.registry.sharding->replicas = {kConfig};
    world.config.registry.sharding->routing.read_after_stamp = Rule::off;
    world.config.max_outstanding_per_shard = 4;
    world.reply_copies = [this](const RegistryRequest& request) {
      for (const RegistryItem& item : request.items) {
        if (request.shard == ShardId(0)) unanswered.insert(item.token);
      }
      return request.shard == ShardId(0) ? 0 : 1;
    };
    world.harness.world = [this, others = world.harness.world](NodeId to, const Body& body) {
      if (body.type() == ShardingRead::kType) read = body.as<ShardingRead>().request;
      others(to, body);
    };
    world.start();
    world.harness.run_for(100ms);
    for (std::uint32_t i = 0; i < 40; ++i) requests.push_back(world.ask(i));
    world.harness.run_for(100ms);
  }
  static constexpr NodeId kConfig{40};
  JoinerWorld world;
  std::optional<std::uint64_t> read;
  std::vector<std::uint64_t> requests;
  std::set<Token> unanswered;
};

}  // namespace

TEST_CASE("D-22 J-S12 clicks whose shard is not known yet count when it is") {
  LateHistory late;
  JoinerWorld& world = late.world;
  REQUIRE(late.read.has_value());  // a client reads the history
  CHECK(world.replies.empty());
  CHECK(world.joiner->window() == 0);
  SECTION("the history arrives") {
    world.harness.deliver(LateHistory::kConfig, Body::make(history_reply(*late.read, 0, 2)));
    world.harness.run_for(2ms);
    CHECK(world.joiner->window() == 8);  // they enter their shards in the same turn
    CHECK(world.replies.size() == 32);
    world.harness.run_for(10s);
    CHECK(late.unanswered.size() == 4);
    CHECK(world.joiner->window() == 4);
    CHECK(world.output().size() == 4);  // of shard 1
    CHECK(world.joiner->statistics().answered(JoinOutcome::registry_throttled) == 32);
  }
  SECTION("the joiner is asked to stop first") {
    world.joiner->on_stop(world.harness);
    CHECK(world.joiner->may_end());
    world.harness.run_for(1s);
    for (const std::uint64_t request : late.requests) {
      CHECK(world.answers_of(request) == Outcomes{JoinOutcome::stopping});
    }
  }
}

TEST_CASE("J-L1 without tokens a repetition takes its own effect for another joiner's") {
  JoinerWorld world;
  world.config.tokens = Tokens::renewed;
  int lost = 1;
  world.reply_copies = [&](const RegistryRequest&) { return --lost < 0 ? 1 : 0; };
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(30s);
  REQUIRE(world.registry.tokens_asked.size() == 2);
  CHECK(world.registry.tokens_asked[0] != world.registry.tokens_asked[1]);
  CHECK(world.registry.ids.at(click_id(1)) == world.registry.tokens_asked[0]);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::already_exists});
  CHECK(world.output().empty());  // registered by this joiner, never written
  // A lost request costs nothing: the repetition is the first to arrive.
  world.registry_receives = false;
  const auto second = world.ask(2);
  world.harness.run_for(1500ms);
  world.registry_receives = true;
  world.harness.run_for(30s);
  CHECK(world.answers_of(second) == Outcomes{JoinOutcome::joined});
  CHECK(world.outputs_of(2) == 1);
  CHECK(world.output().back().token == world.registry.ids.at(click_id(2)));
}
