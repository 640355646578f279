#include "core_impl/photon/sharding/shard_history.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

Stamp at(std::int64_t seconds) { return Stamp(std::chrono::seconds(seconds)); }

ShardingOperation announce(std::uint64_t version, Stamp start, std::uint32_t shards) {
  return {ShardingAction::announce, version, start, shards};
}
ShardingOperation decide(ShardingAction action, std::uint64_t version) {
  return {action, version, {}, 0};
}
std::uint32_t count_at(const ShardHistory& history, Stamp stamp) {
  std::uint32_t shards = 0;
  for (const ShardInterval& interval : history.map().intervals()) {
    if (interval.start <= stamp) shards = interval.shards;
  }
  return shards;
}

}  // namespace

TEST_CASE("B-52 B-57 BC-20 two changes, up and down: piecewise constant, the past untouched") {
  ShardHistory history(100);
  REQUIRE(history.apply(announce(0, at(5201), 120)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
  REQUIRE(history.apply(announce(2, at(5202), 90)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 3)) == ShardingResult::ok);
  CHECK(count_at(history, at(0)) == 100);
  CHECK(count_at(history, at(5201) - Duration(1)) == 100);
  CHECK(count_at(history, at(5201)) == 120);
  CHECK(count_at(history, at(5202) - Duration(1)) == 120);
  CHECK(count_at(history, at(5202)) == 90);
  CHECK(count_at(history, Stamp::max()) == 90);
}

TEST_CASE("B-60d BC-19 after the announcement the mapping from t2 on is open until it is decided") {
  ShardHistory history(10);
  REQUIRE(history.apply(announce(0, at(100), 20)) == ShardingResult::ok);
  CHECK(history.decided_below() == at(100));
  CHECK(count_at(history, at(200)) == 10);  // nothing in force yet
  SECTION("confirmed") {
    REQUIRE(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
    CHECK(count_at(history, at(100)) == 20);
  }
  SECTION("cancelled: the commit was too late") {
    REQUIRE(history.apply(decide(ShardingAction::cancel, 1)) == ShardingResult::ok);
    CHECK(count_at(history, at(200)) == 10);
    // The late confirmation of a deposed master surfaces afterwards.
    CHECK(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::nothing_open);
    CHECK(count_at(history, at(200)) == 10);
  }
  CHECK(history.decided_below() == ShardMap::kEnd);
}

TEST_CASE("B-60d a late decision does not decide a later announcement") {
  ShardHistory history(10);
  REQUIRE(history.apply(announce(0, at(100), 20)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::cancel, 1)) == ShardingResult::ok);
  REQUIRE(history.apply(announce(2, at(300), 30)) == ShardingResult::ok);
  CHECK(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::conflict);
  CHECK(history.open_change().has_value());
}

TEST_CASE("B-60a two operators: compare-and-set lets one through") {
  ShardHistory history(10);
  REQUIRE(history.apply(announce(0, at(100), 20)) == ShardingResult::ok);
  CHECK(history.apply(announce(0, at(110), 30)) == ShardingResult::undecided);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
  CHECK(history.apply(announce(0, at(110), 30)) == ShardingResult::conflict);
  CHECK(history.apply(announce(2, at(110), 30)) == ShardingResult::ok);
}

TEST_CASE("B-60a a scheduled change is replaced by one that starts no later") {
  ShardHistory history(10);
  REQUIRE(history.apply(announce(0, at(1000), 20)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
  REQUIRE(history.apply(announce(2, at(900), 10)) == ShardingResult::ok);  // taken back
  REQUIRE(history.apply(decide(ShardingAction::confirm, 3)) == ShardingResult::ok);
  CHECK(history.map() == ShardMap(10));
}

TEST_CASE("B-52 a change joins the interval before it, not an earlier one with its count") {
  ShardHistory history(10);
  std::uint64_t version = 0;
  for (const auto& [start, shards] : {std::pair{at(100), 20U}, {at(200), 10U}, {at(300), 20U}}) {
    REQUIRE(history.apply(announce(version++, start, shards)) == ShardingResult::ok);
    REQUIRE(history.apply(decide(ShardingAction::confirm, version++)) == ShardingResult::ok);
  }
  CHECK(history.map().intervals().size() == 4);
  REQUIRE(history.apply(announce(version, at(250), 10)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::confirm, version + 1)) == ShardingResult::ok);
  CHECK(history.map().intervals().size() == 3);
  CHECK(history.map().intervals().back() == ShardInterval{at(200), ShardMap::kEnd, 10});
}

TEST_CASE("B-60c below the horizon nothing changes, whatever clocks show") {
  ShardHistory history(10);
  REQUIRE(history.apply({ShardingAction::extend_horizon, 0, at(500), 0}) == ShardingResult::ok);
  CHECK(history.apply({ShardingAction::extend_horizon, 0, at(400), 0}) ==
        ShardingResult::no_change);
  CHECK(history.apply(announce(0, at(499), 20)) == ShardingResult::below_horizon);
  REQUIRE(history.apply(announce(0, at(500), 20)) == ShardingResult::ok);
  // An open change cannot become final.
  CHECK(history.apply({ShardingAction::extend_horizon, 1, at(501), 0}) ==
        ShardingResult::undecided);
}

TEST_CASE("B-54 invalid changes are refused: no shards, no change") {
  ShardHistory history(10);
  CHECK(history.apply(announce(0, at(100), 0)) == ShardingResult::no_shards);
  CHECK(history.apply(announce(0, at(100), 10)) == ShardingResult::no_change);
  CHECK(history.apply(announce(0, ShardMap::kBeginning, 20)) == ShardingResult::below_horizon);
  CHECK(history.apply(announce(0, ShardMap::kEnd, 20)) == ShardingResult::no_change);
  CHECK(history.apply(decide(ShardingAction::confirm, 0)) == ShardingResult::nothing_open);
  CHECK(history.version() == 0);
}

TEST_CASE("G-22 the example of the paper: 100 shards, from 5200 on 120") {
  ShardHistory history(100);
  REQUIRE(history.apply(announce(0, at(5200), 120)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
  REQUIRE(history.map().intervals().size() == 2);
  CHECK(history.map().intervals()[0] == ShardInterval{ShardMap::kBeginning, at(5200), 100});
  CHECK(history.map().intervals()[1] == ShardInterval{at(5200), ShardMap::kEnd, 120});
  CHECK(history.map().max_shards() == 120);
  for (std::uint32_t process = 0; process < 1000; ++process) {
    const EventId before{7, process, at(5200) - Duration(1)};
    const EventId after{7, process, at(5200)};
    CHECK(history.map().shard_of(before).value() == hash_of(before) % 100);
    CHECK(history.map().shard_of(after).value() == hash_of(after) % 120);
  }
}

TEST_CASE("B-60b whole old intervals are forgotten, the rest keeps its mapping") {
  ShardHistory history(10);
  REQUIRE(history.apply(announce(0, at(100), 20)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
  REQUIRE(history.apply(announce(2, at(200), 5)) == ShardingResult::ok);
  const ShardingOperation forget{ShardingAction::forget, 3, at(100), 0};
  CHECK(history.apply(forget) == ShardingResult::undecided);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 3)) == ShardingResult::ok);
  const auto forget_below = [](std::uint64_t version, Stamp below) {
    return ShardingOperation{ShardingAction::forget, version, below, 0};
  };
  CHECK(history.apply(forget_below(3, at(100))) == ShardingResult::conflict);
  CHECK(history.apply(forget_below(4, at(150))) == ShardingResult::no_change);
  CHECK(history.apply(forget_below(4, at(300))) == ShardingResult::no_change);
  CHECK(history.apply(forget_below(4, ShardMap::kBeginning)) == ShardingResult::no_change);
  CHECK(history.version() == 4);
  REQUIRE(history.apply(forget_below(4, at(100))) == ShardingResult::ok);
  CHECK(history.version() == 5);
  CHECK(count_at(history, at(0)) == 20);
  CHECK(count_at(history, at(199)) == 20);
  CHECK(count_at(history, at(200)) == 5);
  CHECK(history.map().max_shards() == 20);
}

TEST_CASE(
    "B-18 B-55 a history is the same after its snapshot, an open change and the horizon too") {
  ShardHistory history(10);
  REQUIRE(history.apply(announce(0, at(100), 20)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
  REQUIRE(history.apply({ShardingAction::extend_horizon, 2, at(50), 0}) == ShardingResult::ok);
  SECTION("no change is open") {}
  SECTION("a change is open") {
    REQUIRE(history.apply(announce(2, at(300), 5)) == ShardingResult::ok);
  }
  ShardHistory other(3);
  const Bytes bytes = history.snapshot();
  REQUIRE(other.restore(bytes));
  CHECK(other == history);
  CHECK(other.state_hash() == history.state_hash());
  SECTION("an invalid snapshot is refused and changes nothing") {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      CHECK_FALSE(other.restore(std::span(bytes).first(length)));
    }
    CHECK(other == history);
  }
}

TEST_CASE("B-18 B-52 a snapshot whose intervals are no map is invalid, and changes nothing") {
  using Intervals = std::vector<ShardInterval>;
  const auto snapshot = [](const Intervals& intervals) {
    Bytes bytes;
    Encoder encode(bytes);
    encode(std::uint64_t{7}, at(50), static_cast<std::uint32_t>(intervals.size()));
    for (const ShardInterval& interval : intervals) encode(interval);
    encode(ShardHistory::Change{});
    return bytes;
  };
  const auto whole = [](std::uint32_t shards) {
    return Intervals{{ShardMap::kBeginning, ShardMap::kEnd, shards}};
  };
  ShardHistory history(10);
  for (const Intervals& wrong :
       {Intervals{}, whole(0), whole(ShardHistory::kMostShards + 1),
        Intervals{{ShardMap::kBeginning, at(5), 3}, {at(6), ShardMap::kEnd, 3}},
        Intervals{{ShardMap::kBeginning, at(5), ShardHistory::kMostShards + 1},
                  {at(5), ShardMap::kEnd, 3}}}) {
    CHECK_FALSE(history.restore(snapshot(wrong)));
    CHECK(history == ShardHistory(10));
  }
  Bytes longer = snapshot(whole(4));
  longer.push_back(std::byte{0});
  CHECK_FALSE(history.restore(longer));
  CHECK(history == ShardHistory(10));
  REQUIRE(history.restore(snapshot(whole(ShardHistory::kMostShards))));
  CHECK(history.version() == 7);
  CHECK(history.horizon() == at(50));
  CHECK(history.map() == ShardMap(ShardHistory::kMostShards));
}

TEST_CASE("B-54 the number of shards has a limit, which is allowed") {
  ShardHistory history(10);
  CHECK(history.apply(announce(0, at(100), ShardHistory::kMostShards + 1)) ==
        ShardingResult::no_shards);
  CHECK(history.apply(announce(0, at(100), ShardHistory::kMostShards)) == ShardingResult::ok);
}

TEST_CASE("B-60c the horizon reaches an open change, and an equal horizon is no change") {
  ShardHistory history(10);
  REQUIRE(history.apply(announce(0, at(100), 20)) == ShardingResult::ok);
  CHECK(history.apply({ShardingAction::extend_horizon, 1, at(101), 0}) ==
        ShardingResult::undecided);
  CHECK(history.apply({ShardingAction::extend_horizon, 1, at(100), 0}) == ShardingResult::ok);
  CHECK(history.apply({ShardingAction::extend_horizon, 1, at(100), 0}) ==
        ShardingResult::no_change);
  CHECK(history.horizon() == at(100));
  CHECK(history.version() == 1);  // routers keep their view: the mapping has not changed
}

TEST_CASE("B-10 the hash of the state depends on each of its parts") {
  std::vector<std::uint64_t> hashes;
  const auto note = [&](const ShardHistory& history) { hashes.push_back(history.state_hash()); };
  ShardHistory history(10);
  note(history);
  note(ShardHistory(11));
  ShardHistory horizon(10);
  REQUIRE(horizon.apply({ShardingAction::extend_horizon, 0, at(50), 0}) == ShardingResult::ok);
  note(horizon);
  for (const auto& [start, shards] : {std::pair{at(100), 20U}, {at(101), 20U}, {at(100), 21U}}) {
    ShardHistory open(10);
    REQUIRE(open.apply(announce(0, start, shards)) == ShardingResult::ok);
    note(open);
    REQUIRE(open.apply(decide(ShardingAction::confirm, 1)) == ShardingResult::ok);
    note(open);
  }
  REQUIRE(history.apply(announce(0, at(100), 20)) == ShardingResult::ok);
  REQUIRE(history.apply(decide(ShardingAction::cancel, 1)) == ShardingResult::ok);
  note(history);  // the version alone has grown
  std::sort(hashes.begin(), hashes.end());
  CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

TEST_CASE("B-18 a snapshot with an open change that was never possible is invalid") {
  const auto snapshot = [](Stamp horizon, const ShardHistory::Change& open) {
    const ShardHistory plain(10);
    Bytes bytes;
    Encoder encode(bytes);
    const auto intervals = plain.map().intervals();
    encode(plain.version(), horizon, static_cast<std::uint32_t>(intervals.size()));
    for (const ShardInterval& interval : intervals) encode(interval);
    encode(open);
    return bytes;
  };
  ShardHistory history(10);
  CHECK(history.restore(snapshot(at(50), {at(50), 20})));
  CHECK(history.restore(snapshot(at(50), {at(50), ShardHistory::kMostShards})));
  CHECK_FALSE(history.restore(snapshot(at(50), {at(49), 20})));
  CHECK_FALSE(history.restore(snapshot({}, {ShardMap::kBeginning, 20})));
  CHECK_FALSE(history.restore(snapshot({}, {ShardMap::kEnd, 20})));
  CHECK_FALSE(history.restore(snapshot({}, {at(50), ShardHistory::kMostShards + 1})));
  CHECK_FALSE(history.restore(snapshot({}, {at(50), 0})));
}

}  // namespace photon
