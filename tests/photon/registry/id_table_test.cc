#include "core_impl/photon/registry/id_table.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;

// The same without arrays, chains and moves: lists by slices, in the order of insertion.
class Model {
 public:
  using Element = std::pair<EventId, Token>;
  using Slices = std::map<std::int64_t, std::vector<Element>>;

  explicit Model(std::int64_t width) : width_(width) {}

  std::int64_t slice_of(const EventId& id) const {
    const std::int64_t time = nanoseconds_of(id.stamp);
    return time / width_ - (time % width_ < 0 ? 1 : 0);
  }
  bool insert(const EventId& id, const Token& token) {
    if (!tokens_.try_emplace(id, token).second) return false;
    slices_[slice_of(id)].emplace_back(id, token);
    return true;
  }
  void clear_token(const EventId& id) {
    tokens_[id] = Token{};
    place_of(id)->second = Token{};
  }
  void erase(const EventId& id) {
    tokens_.erase(id);
    const auto slice = slices_.find(slice_of(id));
    slice->second.erase(place_of(id));
    if (slice->second.empty()) slices_.erase(slice);
  }
  const std::map<EventId, Token>& tokens() const { return tokens_; }
  const Slices& slices() const { return slices_; }

 private:
  std::vector<Element>::iterator place_of(const EventId& id) {
    auto& slice = slices_[slice_of(id)];
    return std::find_if(slice.begin(), slice.end(), [&](const auto& e) { return e.first == id; });
  }

  std::int64_t width_;
  std::map<EventId, Token> tokens_;
  Slices slices_;
};

std::vector<Model::Element> elements_of(const IdTable& table) {
  std::vector<Model::Element> elements;
  table.for_each(
      [&](IdTable::Slot slot) { elements.emplace_back(table.id(slot), table.token(slot)); });
  return elements;
}

std::vector<Model::Element> elements_of(const Model& model) {
  std::vector<Model::Element> elements;
  for (const auto& [number, slice] : model.slices()) {
    elements.insert(elements.end(), slice.begin(), slice.end());
  }
  return elements;
}

IdTable copy_of(const IdTable& table, Duration width) {
  IdTable copy(width);
  table.for_each([&](IdTable::Slot slot) { copy.insert(table.id(slot), table.token(slot)); });
  return copy;
}

struct Shape {
  std::int64_t width;       // of a slice
  std::int64_t stamps;      // from -stamps to stamps
  std::uint32_t processes;  // ids per stamp
  int steps;
};

// Random operations on a table and the model, from one seed.
class Walk {
 public:
  Walk(const Shape& shape, std::uint64_t seed)
      : shape_(shape), seed_(seed), model_(shape.width), table_(Duration(shape.width)) {}

  void run() {
    for (int step = 0; step < shape_.steps; ++step) {
      // Phases of growth and of decline, so that arrays cross their blocks both ways.
      const bool declines = step / (shape_.steps / 4) % 2 == 1;
      const std::uint64_t choice = below(16);
      if (choice < (declines ? 3U : 11U)) {
        insert();
      } else if (choice < 13) {
        leave(choice);
      } else if (choice < 15) {
        clear_token();
      } else {
        look_up();
      }
      if (below(static_cast<std::uint64_t>(shape_.steps) / 2) == 0) {
        table_ = copy_of(table_, Duration(shape_.width));
      }
    }
    compare();
    while (table_.size() > 0) collect();
    CHECK(model_.tokens().empty());
    CHECK(table_.tokens() == 0);
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return mix(combine(seed_, ++drawn_)) % bound; }
  EventId any_id() {
    const auto span = static_cast<std::uint64_t>(2 * shape_.stamps + 1);
    const std::int64_t stamp = static_cast<std::int64_t>(below(span)) - shape_.stamps;
    return {1, static_cast<std::uint32_t>(below(shape_.processes)), from_nanoseconds<Stamp>(stamp)};
  }
  // Of the table, if it has any.
  EventId present_id() {
    if (table_.size() == 0) return any_id();
    return table_.id(static_cast<IdTable::Slot>(below(table_.size())));
  }

  void insert() {
    const EventId id = below(8) == 0 ? present_id() : any_id();
    const Token token = below(4) == 0 ? Token{} : Token{1, 2, 1 + below(3)};
    const bool fresh = model_.insert(id, token);
    const auto placed = table_.insert(id, token);
    REQUIRE((placed.freshness == Freshness::fresh) == fresh);
    REQUIRE(table_.id(placed.slot) == id);
    REQUIRE(table_.token(placed.slot) == model_.tokens().at(id));
  }
  void leave(std::uint64_t choice) {
    if (table_.size() == 0) return;
    if (choice % 2 == 0) return collect();
    const EventId id = present_id();
    model_.erase(id);
    table_.erase(table_.find(id));
    REQUIRE(table_.find(id) == IdTable::kAbsent);
  }
  void collect() {
    const auto oldest = model_.slices().begin();
    REQUIRE(table_.oldest_slice() == oldest->first);
    REQUIRE(table_.newest_slice() == model_.slices().rbegin()->first);
    const IdTable::Slot slot = table_.next_garbage();
    const EventId id = table_.id(slot);
    REQUIRE(id == oldest->second.back().first);
    REQUIRE(table_.token(slot) == oldest->second.back().second);
    model_.erase(id);
    table_.erase(slot);
  }
  void clear_token() {
    if (table_.size() == 0) return;
    const EventId id = present_id();
    model_.clear_token(id);
    table_.clear_token(table_.find(id));
    REQUIRE(table_.token(table_.find(id)).is_empty());
  }
  void look_up() {
    const EventId id = any_id();
    const IdTable::Slot slot = table_.find(id);
    const auto expected = model_.tokens().find(id);
    REQUIRE((slot != IdTable::kAbsent) == (expected != model_.tokens().end()));
    if (slot != IdTable::kAbsent) REQUIRE(table_.token(slot) == expected->second);
  }
  void compare() {
    CHECK(table_.size() == model_.tokens().size());
    CHECK((elements_of(table_) == elements_of(model_)));
    std::size_t set = 0;
    std::size_t found = 0;
    for (const auto& [id, token] : model_.tokens()) {
      set += token.is_empty() ? 0 : 1;
      const IdTable::Slot slot = table_.find(id);
      found += slot != IdTable::kAbsent && table_.token(slot) == token ? 1 : 0;
    }
    CHECK(found == model_.tokens().size());
    CHECK(table_.tokens() == set);
  }

  Shape shape_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  Model model_;
  IdTable table_;
};

TEST_CASE("B-10 J-S4 F-12 the table agrees with the model: slices of few ids") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    Walk({.width = 7, .stamps = 60, .processes = 2, .steps = 400}, seed).run();
  }
}

TEST_CASE("B-10 J-S4 F-12 the table agrees with the model: slices with an index") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    Walk({.width = 500, .stamps = 1500, .processes = 2, .steps = 4000}, seed).run();
  }
}

TEST_CASE("B-10 J-S4 F-12 the table agrees with the model: several blocks") {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    INFO("seed " << seed);
    Walk({.width = 100, .stamps = 30'000, .processes = 3, .steps = 160'000}, seed).run();
  }
}

TEST_CASE("B-64 slices far apart, with gaps, and at the ends of time") {
  IdTable table(1ns);
  const auto lowest = std::numeric_limits<std::int64_t>::min();
  const auto highest = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> stamps = {highest, 5, lowest, 7, 6, 100, highest - 1, -3, 0};
  for (const std::int64_t stamp : stamps) {
    table.insert({1, 1, from_nanoseconds<Stamp>(stamp)}, Token{1, 1, 1});
  }
  std::vector<std::int64_t> order;
  table.for_each(
      [&](IdTable::Slot slot) { order.push_back(nanoseconds_of(table.id(slot).stamp)); });
  CHECK(std::is_sorted(order.begin(), order.end()));
  for (const std::int64_t stamp : stamps) {
    CHECK(table.find({1, 1, from_nanoseconds<Stamp>(stamp)}) != IdTable::kAbsent);
    CHECK(table.find({2, 1, from_nanoseconds<Stamp>(stamp)}) == IdTable::kAbsent);
  }
  for (const std::int64_t stamp : {lowest + 1, std::int64_t{1}, std::int64_t{50}, highest - 2}) {
    CHECK(table.find({1, 1, from_nanoseconds<Stamp>(stamp)}) == IdTable::kAbsent);
  }
}

}  // namespace
}  // namespace photon
