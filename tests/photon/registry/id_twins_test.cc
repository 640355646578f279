// Ids of one slice that share a chain of the table's index, whatever its length, or differ in one
// field alone.
#include <map>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/photon/registry/id_table.h"
#include "tests/support/catch.h"
#include "tests/support/twins.h"

namespace photon {

TEST_CASE("B-10 J-S4 the table keeps ids apart that share a chain") {
  const EventId first{1, 1, from_nanoseconds<Stamp>(5)};
  std::vector<EventId> ids{first};
  for (std::uint32_t i = 1; i < 200; ++i) {
    ids.push_back(testing::twin_of(first, testing::kHighHalf, i % 5, i % 7, i));
  }
  IdTable table(Duration(1LL << 48U));
  std::map<EventId, Token> model;
  const RandomStream random(1, Purpose::test, 0);
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    const auto word = random.block(step);
    const EventId& id = ids[uniform_below(word[0], ids.size())];
    const IdTable::Slot slot = table.find(id);
    const auto known = model.find(id);
    REQUIRE((slot != IdTable::kAbsent) == (known != model.end()));
    if (known != model.end()) REQUIRE(table.token(slot) == known->second);
    const Token token{1, 1, 1 + step};
    switch (word[1] % 4) {
      case 0:
      case 1: {
        const bool fresh = model.try_emplace(id, token).second;
        REQUIRE((table.insert(id, token).freshness == Freshness::fresh) == fresh);
        break;
      }
      case 2:
        if (known == model.end()) break;
        table.erase(slot);
        model.erase(known);
        break;
      default:
        if (known == model.end()) break;
        table.clear_token(slot);
        known->second = Token{};
    }
    REQUIRE(table.size() == model.size());
  }
  CHECK(table.size() > 50);
}

// Of each id of the cube fifteen others differ in one field, so some of these share its chain.
TEST_CASE("B-10 A-10 the table keeps ids apart that differ in one field alone") {
  constexpr std::uint32_t kSide = 6;
  std::vector<EventId> ids;
  for (std::uint32_t i = 0; i < kSide * kSide * kSide; ++i) {
    ids.push_back(
        {1 + i % kSide, 1 + i / kSide % kSide, from_nanoseconds<Stamp>(1 + i / (kSide * kSide))});
  }
  IdTable table(Duration(1LL << 48U));
  std::map<EventId, Token> model;
  const RandomStream random(2, Purpose::test, 0);
  for (std::uint64_t step = 0; step < 400; ++step) {
    const EventId& id = ids[uniform_below(random.block(step)[0], ids.size())];
    if (model.erase(id) > 0) {
      table.erase(table.find(id));
    } else {
      model[id] = Token{1, 1, 1 + step};
      REQUIRE(table.insert(id, model[id]).freshness == Freshness::fresh);
    }
    REQUIRE(table.size() == model.size());
    for (const EventId& each : ids) {
      const IdTable::Slot slot = table.find(each);
      const auto known = model.find(each);
      REQUIRE((slot != IdTable::kAbsent) == (known != model.end()));
      if (slot != IdTable::kAbsent) REQUIRE(table.token(slot) == known->second);
    }
  }
  CHECK(table.size() > 80);
}

}  // namespace photon
