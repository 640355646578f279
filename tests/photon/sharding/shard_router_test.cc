#include "core_impl/photon/sharding/shard_router.h"

#include "tests/support/catch.h"

namespace photon {
namespace {

using std::chrono::seconds;

EventId stamped(std::int64_t at) { return EventId{1, 1, Stamp(seconds(at))}; }

// Read at TT.earliest = 100 s, at second 10 of the reader's own clock.
ShardingView view_of(std::uint64_t version, std::uint32_t shards) {
  ShardingView view;
  view.version = version;
  view.map = ShardMap(shards);
  view.begun = MonotonicTime(seconds(10));
  view.begun_earliest = Stamp(seconds(100));
  return view;
}

RoutingOptions no_rules() {
  RoutingOptions options;
  options.read_after_stamp = Rule::off;
  options.skew_bound = seconds(5);
  options.max_age = seconds(30);
  return options;
}

Routing routing(const RoutingOptions& options, const ShardingView& view, std::int64_t stamp,
                std::int64_t now) {
  ShardRouter router(options);
  router.update(view);
  return router.route(stamped(stamp), MonotonicTime(seconds(now))).routing;
}

}  // namespace

TEST_CASE("B-60c without a view nothing is routed, without rules everything is") {
  CHECK(ShardRouter(no_rules()).route(stamped(1), {}).routing == Routing::outdated);
  CHECK(routing(no_rules(), view_of(1, 4), 1'000'000, 1'000'000) == Routing::shard);
}

TEST_CASE("B-60c rule 1: a history older than its age limit routes nothing") {
  RoutingOptions options = no_rules();
  options.freshness = Rule::on;
  CHECK(routing(options, view_of(1, 4), 1, 40) == Routing::shard);
  CHECK(routing(options, view_of(1, 4), 1, 41) == Routing::outdated);
}

TEST_CASE("B-60c rule 2: only ids that could exist when the history was read") {
  RoutingOptions options = no_rules();
  options.read_after_stamp = Rule::on;
  CHECK(routing(options, view_of(1, 4), 105, 1'000'000) == Routing::shard);
  CHECK(routing(options, view_of(1, 4), 106, 11) == Routing::outdated);
}

TEST_CASE("B-60c rule 4: only stamps below the horizon") {
  RoutingOptions options = no_rules();
  options.horizon = Rule::on;
  ShardingView view = view_of(1, 4);
  view.horizon = Stamp(seconds(50));
  CHECK(routing(options, view, 49, 11) == Routing::shard);
  CHECK(routing(options, view, 50, 11) == Routing::outdated);
}

TEST_CASE("B-60d an announced, undecided mapping routes nothing") {
  ShardingView view = view_of(1, 4);
  view.decided_below = Stamp(seconds(50));
  CHECK(routing(no_rules(), view, 49, 11) == Routing::shard);
  CHECK(routing(no_rules(), view, 50, 11) == Routing::undecided);
}

TEST_CASE("B-60c reads answered out of order do not restore an old history") {
  ShardRouter router(no_rules());
  router.update(view_of(2, 8));
  router.update(view_of(1, 4));
  CHECK(router.view()->version == 2);
  ShardingView again = view_of(2, 8);
  again.begun = MonotonicTime(seconds(20));
  router.update(again);
  CHECK(router.view()->begun == MonotonicTime(seconds(20)));
}

}  // namespace photon
