// Facts about the garbage boundary: by slot, by time, by shard.
#include "analysis/evidence/boundary_history.h"

#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

constexpr ShardId kShard{3};
constexpr Stamp stamp(int at) { return Stamp(Duration(at)); }
constexpr SimTime moment(int at) { return SimTime(Duration(at)); }

BoundaryHistory moves(std::initializer_list<std::array<int, 3>> list) {
  BoundaryHistory history;
  for (const auto& [slot, boundary, at] : list) {
    history.absorb({static_cast<std::uint64_t>(slot), stamp(boundary), kShard}, moment(at));
  }
  return history;
}

}  // namespace

TEST_CASE("B-62 the boundary is known after every slot; before the first move there is none") {
  const BoundaryHistory history = moves({{4, 100, 1}, {7, 130, 2}});
  CHECK(history.up_to(kShard, 3).boundary == Stamp::min());
  CHECK(history.up_to(kShard, 4).boundary == stamp(100));
  CHECK(history.up_to(kShard, 6).boundary == stamp(100));
  CHECK(history.up_to(kShard, 99).boundary == stamp(130));
  CHECK(history.last(kShard).slot == 7);
  CHECK(history.last(ShardId{0}).slot == 0);
  CHECK(history.last(ShardId{9}).highest == Stamp::min());
}

TEST_CASE("B-65 an id is expired from the first time a boundary above it was reported") {
  const BoundaryHistory history = moves({{4, 100, 1}, {7, 130, 2}});
  CHECK(history.passed_at(kShard, stamp(99)) == moment(1));
  CHECK(history.passed_at(kShard, stamp(100)) == moment(2));
  CHECK(history.passed_at(kShard, stamp(130)) == SimTime::max());
  CHECK(history.passed_at(ShardId{0}, stamp(99)) == SimTime::max());
}

TEST_CASE("B-62 the first report of a slot's boundary counts; a later regress hides nothing") {
  SECTION("another replica reports later") {
    const BoundaryHistory history = moves({{4, 100, 1}, {7, 130, 2}, {4, 90, 3}, {7, 150, 4}});
    CHECK(history.up_to(kShard, 4).boundary == stamp(100));
    CHECK(history.last(kShard).highest == stamp(130));
    CHECK(history.passed_at(kShard, stamp(140)) == SimTime::max());
  }
  SECTION("a boundary that moves back") {
    const BoundaryHistory history = moves({{4, 100, 1}, {7, 80, 2}, {9, 110, 3}});
    CHECK(history.up_to(kShard, 7).boundary == stamp(80));
    CHECK(history.up_to(kShard, 7).highest == stamp(100));
    CHECK(history.passed_at(kShard, stamp(90)) == moment(1));
    CHECK(history.passed_at(kShard, stamp(105)) == moment(3));
  }
}

}  // namespace photon::analysis::testing
