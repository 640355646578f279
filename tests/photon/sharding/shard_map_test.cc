#include "core_impl/photon/sharding/shard_map.h"

#include <vector>

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon {

TEST_CASE("B-50 golden values of the shard of an id") {
  const ShardMap map(100);
  const EventId sample{0x0a000001, 42, from_nanoseconds<Stamp>(1'356'998'400'000'000'000)};
  std::vector<std::uint32_t> shards;
  for (std::uint32_t step = 0; step < 8; ++step) {
    EventId id = sample;
    id.server += step;
    id.stamp += Duration(step);
    shards.push_back(map.shard_of(id).value());
  }
  CHECK(shards == std::vector<std::uint32_t>{79, 29, 47, 25, 48, 25, 49, 33});
}

TEST_CASE("B-50 ids spread evenly over the shards (chi-square)") {
  constexpr std::uint32_t kShards = 16;
  constexpr std::uint32_t kIds = 160'000;
  std::vector<std::uint64_t> counts(kShards);
  const ShardMap map(kShards);
  for (std::uint32_t item = 0; item < kIds; ++item) {
    // As a server makes them: consecutive stamps a microsecond apart.
    ++counts[map.shard_of(EventId{1, item % 4, from_nanoseconds<Stamp>(std::int64_t{item} * 1000)})
                 .value()];
  }
  double chi_square = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - kIds / kShards;
    chi_square += difference * difference / (kIds / kShards);
  }
  CHECK(chi_square < 37.7);  // 15 degrees of freedom, 0.1 %
}

TEST_CASE("B-52 B-53 intervals are half-open over the stamp of the id") {
  const Stamp change = from_nanoseconds<Stamp>(5200);
  const std::vector<ShardInterval> history{{ShardMap::kBeginning, change, 3},
                                           {change, ShardMap::kEnd, 5}};
  const auto map = ShardMap::make(history);
  REQUIRE(map.has_value());
  CHECK(map.value().max_shards() == 5);
  const auto expect = [&](Stamp stamp, std::uint64_t shards) {
    const EventId id{1, 1, stamp};
    CHECK(map.value().shard_of(id).value() == hash_of(id) % shards);
  };
  for (const std::int64_t stamp : {-7, 0, 1, 5199}) expect(from_nanoseconds<Stamp>(stamp), 3);
  for (const std::int64_t stamp : {5200, 5201}) expect(from_nanoseconds<Stamp>(stamp), 5);
  expect(Stamp::max(), 5);
}

TEST_CASE("B-52 a history with a gap, an overlap or a missing end is refused") {
  using Error = ShardMapError;
  const auto at = [](std::int64_t stamp) { return from_nanoseconds<Stamp>(stamp); };
  const auto error = [](const std::vector<ShardInterval>& history) {
    const auto map = ShardMap::make(history);
    REQUIRE(map.has_error());
    return map.error();
  };
  CHECK(error({}) == Error::empty);
  CHECK(error({{at(1), ShardMap::kEnd, 3}}) == Error::not_from_beginning);
  CHECK(error({{at(0), at(9), 3}}) == Error::not_to_end);
  CHECK(error({{at(0), ShardMap::kEnd, 0}}) == Error::no_shards);
  CHECK(error({{at(0), at(5), 3}, {at(6), ShardMap::kEnd, 3}}) == Error::not_contiguous);
  CHECK(error({{at(0), at(5), 3}, {at(4), ShardMap::kEnd, 3}}) == Error::not_contiguous);
  CHECK(error({{at(0), at(0), 3}, {at(0), ShardMap::kEnd, 3}}) == Error::reversed);
}

}  // namespace photon
