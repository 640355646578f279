// J-P13: joiners read the EventStore for a cause.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr NodeId kCache{20};
constexpr NodeId kLogs{21};
constexpr Duration kCacheTimeOut = 200ms;
constexpr Duration kMomentOfWork = 1ms;  // whole seconds count for drift

struct Reading {
  explicit Reading(bool cached = true) : world(config(cached)) { prepare(world, 2); }
  static JudgeConfig config(bool cached) {
    JudgeConfig config = World::standard();
    config.reads_priced = true;
    config.cache_timeout = cached ? kCacheTimeOut : Duration{0};
    return config;
  }
  void request(std::uint64_t number, std::uint32_t click = 1, NodeId from = kDispatcher) {
    world.delivered(from, kJoiner, JoinAsk{click_id(click), query_id(click), number, 0});
  }
  void finish(std::uint64_t number, std::uint32_t click = 1) {
    world.sent(kJoiner, kDispatcher,
               JoinAnswer{click_id(click), number, JoinOutcome::event_store_error});
  }
  void ask(QueryTier tier, std::uint64_t number, Duration after = 1ms, std::uint32_t click = 1) {
    world.wait(after - world.step);
    world.sent(kJoiner, tier == QueryTier::cache ? kCache : kLogs,
               QueryAsk{query_id(click), number, tier});
  }
  void answer(QueryTier tier, std::uint64_t number, QueryStatus status) {
    world.delivered(tier == QueryTier::cache ? kCache : kLogs, kJoiner,
                    QueryAnswer{query_id(1), query_id(1), number, status, tier});
  }
  void check(std::uint64_t reported) const {
    INFO(world.findings());
    CHECK(world.count("J-P13") == reported);
  }
  World world;
};

}  // namespace

TEST_CASE("J-P13 each accepted request pays for one look-up") {
  Reading scene;
  SECTION("none") {
    scene.ask(QueryTier::cache, 1);
    scene.check(1);
  }
  SECTION("two requests, two look-ups, and no third") {
    scene.request(1);
    scene.request(1, 1, kFarDispatcher);
    scene.ask(QueryTier::cache, 1);
    scene.ask(QueryTier::cache, 2);
    scene.check(0);
    scene.ask(QueryTier::cache, 3);
    scene.check(1);
  }
  SECTION("a copy of one under way pays for nothing") {
    scene.request(1);
    scene.ask(QueryTier::cache, 1);
    scene.request(1);
    scene.ask(QueryTier::cache, 2);
    scene.check(1);
  }
  SECTION("a copy of one that was answered, or the next one, pays") {
    scene.request(1);
    scene.ask(QueryTier::cache, 1);
    scene.finish(1);
    scene.request(GENERATE(1U, 2U));
    scene.ask(QueryTier::cache, 2);
    scene.check(0);
  }
  SECTION("one that was refused does not pay afterwards") {
    scene.request(1);
    scene.finish(1);
    scene.ask(QueryTier::cache, 1);
    scene.check(1);
  }
  SECTION("nor does one of another query, or of another life") {
    scene.request(1, 2);
    scene.ask(QueryTier::cache, 1);
    scene.check(1);
    scene.world.crash(kJoiner);
    scene.world.restart(kJoiner);
    scene.ask(QueryTier::cache, 2, 1ms, 2);
    scene.check(2);
  }
}

TEST_CASE("J-P13 the logs are asked when the cache has missed, or is silent") {
  Reading scene;
  scene.request(1);
  scene.ask(QueryTier::cache, 1);
  SECTION("at once") {
    scene.ask(QueryTier::logs, 1);
    scene.check(1);
  }
  SECTION("after its silence") {
    const Duration early = GENERATE(0ns, 1ns);
    scene.ask(QueryTier::logs, 1, kCacheTimeOut - kMomentOfWork - early);
    scene.check(early > 0ns ? 1 : 0);
  }
  SECTION("after a miss, and once") {
    scene.answer(QueryTier::cache, 1, GENERATE(QueryStatus::not_found, QueryStatus::error));
    scene.ask(QueryTier::logs, 1);
    scene.check(0);
    scene.ask(QueryTier::logs, 1, 1h);
    scene.check(1);
  }
  SECTION("after a hit, or an answer of the logs, nothing is asked") {
    const QueryTier tier = GENERATE(QueryTier::cache, QueryTier::logs);
    if (tier == QueryTier::logs) scene.ask(QueryTier::logs, 1, kCacheTimeOut);
    scene.answer(tier, 1, QueryStatus::found);
    scene.ask(QueryTier::logs, 1, 1h);
    scene.check(1);
  }
  SECTION("the cache is not asked again") {
    scene.answer(QueryTier::cache, 1, QueryStatus::not_found);
    scene.ask(QueryTier::cache, 1);
    scene.check(1);
  }
}

TEST_CASE("J-P13 where there is a cache, no look-up passes it over") {
  const bool cached = GENERATE(true, false);
  Reading scene(cached);
  scene.request(1);
  scene.ask(QueryTier::logs, 1);
  scene.check(cached ? 1 : 0);
}

}  // namespace photon::analysis::testing
