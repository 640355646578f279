#include "core_impl/photon/sharding/shard_map.h"

#include <span>
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

namespace {

// Plausible servers of clicks: which server, which process, how much later each id.
struct Fleet {
  const char* what;
  std::uint32_t servers;
  std::uint32_t server_step;
  std::uint32_t processes;
  std::int64_t tick;  // ns between an id and the next one, across all servers
};
constexpr Fleet kFleets[] = {
    {"one server, an id per microsecond", 1, 1, 1, 1'000},
    {"a rack of 40, four processes each", 40, 1, 4, 1'000'000},
    {"1,000 addresses in a row, all at one time", 1'000, 1, 1, 0},
    {"a server in each of 250 networks, whole seconds", 250, 256, 3, 1'000'000'000},
    {"300 processes of one server, powers of two", 1, 1, 300, 1 << 20},
    {"four corners of the address space", 4, 1U << 30U, 16, 977},
};

EventId id_of(const Fleet& fleet, std::uint32_t item, Stamp begin) {
  const std::uint32_t server = item % fleet.servers;
  const std::uint32_t process = item / fleet.servers % fleet.processes;
  // An id is unique: a process with several at one time counts on by nanoseconds.
  const std::uint32_t turn = item / (fleet.servers * fleet.processes);
  const std::int64_t later = fleet.tick * std::int64_t{item} + (fleet.tick == 0 ? turn : 0);
  return {0x0a000001 + server * fleet.server_step, 4711 + process, begin + Duration(later)};
}

double chi_square(std::span<const std::uint64_t> counts) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

}  // namespace

TEST_CASE("B-50 G-22 the ids of any fleet spread evenly over 100 shards, then 120 (chi-square)") {
  constexpr std::uint32_t kIds = 120'000;
  const Stamp begin = from_nanoseconds<Stamp>(1'356'998'400'000'000'000);
  for (const Fleet& fleet : kFleets) {
    INFO(fleet.what);
    // Half of the ids belong to each number of shards.
    const Stamp change = id_of(fleet, kIds / 2, begin).stamp;
    const auto map = ShardMap::make(std::vector<ShardInterval>{{ShardMap::kBeginning, change, 100},
                                                               {change, ShardMap::kEnd, 120}});
    REQUIRE(map.has_value());
    std::vector<std::uint64_t> before(100);
    std::vector<std::uint64_t> after(120);
    for (std::uint32_t item = 0; item < kIds; ++item) {
      const EventId id = id_of(fleet, item, begin);
      auto& counts = id.stamp < change ? before : after;
      ++counts.at(map.value().shard_of(id).value());
    }
    // 99 and 119 degrees of freedom, 0.1 % at either end: neither lumps nor a regular pattern.
    CHECK(chi_square(before) > 61.1);
    CHECK(chi_square(before) < 148.2);
    CHECK(chi_square(after) > 76.9);
    CHECK(chi_square(after) < 172.5);
  }
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
