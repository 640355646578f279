// Packing never changes what a reader sees.
#include "analysis/evidence/packed_table.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "analysis/evidence/join_facts.h"
#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

struct PlainRow {
  std::uint64_t number = 7;
  std::int64_t time = std::numeric_limits<std::int64_t>::max();
  std::uint32_t low = 0;
  std::uint32_t high = 0xffffffffU;
};
using Table = PackedTable<PlainRow>;

// Enough for every page that is not used.
void let_rest(const Table& table) {
  for (std::uint32_t i = 0; i < Table::kIdle; ++i) table.tick();
}

}  // namespace

TEST_CASE(
    "packed rows of any words are unpacked as they were, whatever rows they are compared with") {
  CHECK(rc::check("round trip", [] {
    const auto columns = *rc::gen::inRange<std::size_t>(1, 6);
    const auto apart = *rc::gen::inRange<std::size_t>(1, 4);
    const auto rows = *rc::gen::inRange<std::size_t>(0, 70);
    const auto words = *rc::gen::container<std::vector<std::uint64_t>>(
        rows * columns, rc::gen::oneOf(rc::gen::arbitrary<std::uint64_t>(),
                                       rc::gen::element<std::uint64_t>(0, 1, ~std::uint64_t{0},
                                                                       std::uint64_t{1} << 63U)));
    std::vector<std::byte> packed;
    pack_rows(words, {columns, apart}, packed);
    std::vector<std::uint64_t> unpacked(words.size(), 5);
    unpack_rows(packed, {columns, apart}, unpacked);
    RC_ASSERT(unpacked == words);
  }));
}

TEST_CASE("columns that follow an earlier one are packed as their differences from it") {
  constexpr std::size_t kColumns = 4;
  constexpr std::size_t kRows = 64;
  std::vector<std::uint64_t> words;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const std::uint64_t drawn = mix(row);
    words.insert(words.end(), {drawn, row, drawn, drawn + row % 50});
  }
  std::vector<std::byte> packed;
  pack_rows(words, {kColumns, 1}, packed);
  // Ten bytes of the drawn one at most, one of each other; the third column is one byte in all.
  CHECK(packed.size() <= kRows * (10 + 1 + 1) + 2 * kColumns + 10);
  std::vector<std::uint64_t> unpacked(words.size());
  unpack_rows(packed, {kColumns, 1}, unpacked);
  CHECK(unpacked == words);
}

TEST_CASE("a packed table holds what a vector would hold, whenever its pages rest") {
  Table table;
  std::vector<PlainRow> expected;
  std::uint64_t drawn = 1;
  const auto draw = [&](std::uint64_t below) {
    drawn = mix(drawn + 1);
    return drawn % below;
  };
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t action = draw(10);
    if (action < 3 || expected.empty()) {
      PlainRow& row = table.emplace_back();
      row.number = draw(3);
      expected.push_back({row.number});
    } else if (action < 6) {
      const std::size_t at = draw(expected.size());
      table[at].time = expected[at].time = static_cast<std::int64_t>(draw(1'000'000));
      table[at].low = ++expected[at].low;
    } else if (action < 9) {
      const std::size_t at = draw(expected.size());
      const PlainRow& row = std::as_const(table)[at];
      REQUIRE(row.number == expected[at].number);
      REQUIRE(row.time == expected[at].time);
      REQUIRE(row.low == expected[at].low);
      REQUIRE(row.high == expected[at].high);
    } else if (draw(40) == 0) {
      let_rest(table);
      REQUIRE(table.pages_in_use() == 0);
    } else {
      table.tick();
    }
  }
  REQUIRE(table.size() == expected.size());
}

TEST_CASE("rows that are read keep their packed form, and rows that are changed are packed anew") {
  Table table;
  for (std::uint32_t i = 0; i < 200; ++i) table.emplace_back().number = i;
  CHECK(table.pages_in_use() == 4);
  let_rest(table);
  CHECK(table.pages_in_use() == 0);
  const std::size_t bytes = table.packed_bytes();
  CHECK(bytes < 200 * sizeof(PlainRow) / 4);
  CHECK(std::as_const(table)[150].number == 150);
  CHECK(table.pages_in_use() == 1);
  table[150].number = 1U << 30U;
  let_rest(table);
  CHECK(table.packed_bytes() > bytes);
  CHECK(std::as_const(table)[150].number == 1U << 30U);
  CHECK(std::as_const(table)[149].number == 149);
}

TEST_CASE("a page that is used rests only after its last use") {
  Table table;
  table.grow(2 * Table::kPageRows);
  for (std::uint32_t i = 0; i < 3 * Table::kIdle; ++i) {
    CHECK(std::as_const(table)[0].number == 7);
    table.tick();
  }
  CHECK(table.pages_in_use() == 1);
}

TEST_CASE("what the judge keeps of a settled click packs to a fraction") {
  PackedTable<Click> clicks;
  for (std::uint32_t i = 0; i < 64; ++i) {
    Click& click = clicks.emplace_back();
    click.id = EventId{i % 8, 1, Stamp(Duration(1'000'000'000 + 190'000 * i))};
    click.query = EventId{i % 16, 1, Stamp(Duration(900'000'000 + 170'000 * i))};
    click.generated_at = from_nanoseconds<SimTime>(1'000'000'000 + 190'000 * i);
    click.click_end = 96 * i;
    click.query_end = 960 * i;
    click.joined_hash = mix(i);
    click.generated = true;
    click.joined_at = from_nanoseconds<SimTime>(3'000'000'000 + 150'000 * i);
    click.joined_by = Token{20 + i % 4, 1, i};
    click.joined_with = click.query;
  }
  for (std::uint32_t i = 0; i < PackedTable<Click>::kIdle; ++i) clicks.tick();
  CHECK(clicks.packed_bytes() / 64 < sizeof(Click) / 2);
}

}  // namespace photon::analysis
