#include "analysis/evidence/event_index.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analysis/evidence/chunked_array.h"
#include "analysis/evidence/token_index.h"
#include "tests/support/catch.h"

namespace photon::analysis {

TEST_CASE("an event index tells ids apart whose hashes agree in all that it holds of them") {
  // The part of a hash is its last six bits, the tag its upper half.
  constexpr std::uint32_t kIds = 2'000'000;
  const auto id = [](std::uint32_t i) { return EventId{1, 1, Stamp(Duration(i))}; };
  std::vector<std::pair<std::uint64_t, std::uint32_t>> seen;
  for (std::uint32_t i = 0; i < kIds; ++i) {
    const std::uint64_t hash = hash_of(id(i));
    seen.emplace_back((hash >> 32U) << 6U | hash % 64, i);
  }
  std::sort(seen.begin(), seen.end());
  std::size_t pairs = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    if (seen[i - 1].first != seen[i].first) continue;
    ++pairs;
    EventIndex index;
    const std::vector<EventId> two{id(seen[i - 1].second), id(seen[i].second)};
    const auto id_of = [&](std::uint32_t number) { return two[number]; };
    index.insert(two[0], 0, id_of);
    CHECK(index.find(two[1], id_of) == EventIndex::kUnknown);
    CHECK(index.insert(two[1], 1, id_of) == std::pair(1U, true));
    CHECK(index.find(two[0], id_of) == 0);
    CHECK(index.find(two[1], id_of) == 1);
  }
  CHECK(pairs > 0);
}

TEST_CASE("an event index gives each id the number that it got first") {
  EventIndex index;
  std::vector<EventId> ids;
  const auto id_of = [&](std::uint32_t number) { return ids[number]; };
  const auto id = [](std::uint32_t i) {
    return EventId{i % 7, i % 3, Stamp(Duration(std::int64_t{i} * 1000))};
  };
  CHECK(index.find(id(0), id_of) == EventIndex::kUnknown);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    const auto [number, fresh] = index.insert(id(i), i, id_of);
    REQUIRE(fresh);
    REQUIRE(number == i);
    ids.push_back(id(i));
    const auto again = index.insert(id(i / 2), i + 1, id_of);
    REQUIRE(!again.second);
    REQUIRE(again.first == i / 2);
  }
  CHECK(index.size() == 10'000);
  for (std::uint32_t i = 0; i < 10'000; ++i) REQUIRE(index.find(id(i), id_of) == i);
  CHECK(index.find(id(10'000), id_of) == EventIndex::kUnknown);
}

TEST_CASE("a chunked array keeps its values and their addresses while it grows") {
  ChunkedArray<std::uint32_t> array{7};
  CHECK(array.at(0) == 7);
  CHECK(array.at(1'000'000) == 7);
  std::uint32_t& first = array[0];
  first = 1;
  array[50'000] = 2;
  CHECK(&array[0] == &first);
  CHECK(array.at(0) == 1);
  CHECK(array.at(1) == 7);
  CHECK(array.at(49'999) == 7);
  CHECK(array.at(50'000) == 2);
}

TEST_CASE("a token keeps the number of its first use, in order, out of order, or far ahead") {
  TokenIndex index;
  std::map<Token, std::uint32_t> expected;
  std::uint32_t number = 0;
  const auto use = [&](const Token& token) {
    index.insert(token, number);
    expected.try_emplace(token, number++);
  };
  for (std::uint64_t sequence = 1; sequence <= 2'000; ++sequence) {
    use({7, 1, sequence});
    use({7, 2, 2'001 - sequence});
    use({8, 1, sequence % 3});
    use({9, 1, std::uint64_t{1} << (sequence % 64)});
    use({7, 1, sequence + 1'500});
  }
  use({});
  use({7, 1, ~std::uint64_t{0}});
  for (const auto& [token, first] : expected) REQUIRE(index.find(token) == first);
  CHECK(index.find({7, 3, 1}) == TokenIndex::kUnknown);
  CHECK(index.find({7, 1, 5'000}) == TokenIndex::kUnknown);
}

}  // namespace photon::analysis
