#include "core_impl/base/mark.h"

#include <algorithm>
#include <string>
#include <thread>

#include "tests/support/catch.h"

namespace photon {
namespace {

int line_of_first = 0;

void first() {
  PHOTON_MARK("test.first");
  line_of_first = __LINE__ - 1;
}

void never() { PHOTON_MARK("test.never"); }  // for the list alone

template <class Number>
Number instantiated(Number number) {
  PHOTON_MARK("test.instantiated");
  return number;
}

std::uint64_t hits(const MarkCounts& counts, std::string_view name) {
  const auto marks = all_marks();
  const auto place = std::ranges::find(marks, name, &MarkPlace::name);
  REQUIRE(place != marks.end());
  const auto all = counts.hits();
  const auto number = static_cast<std::size_t>(place - marks.begin());
  const auto hit = std::ranges::find(all, number, &MarkHits::value_type::first);
  return hit == all.end() ? 0 : hit->second;
}

const MarkPlace& place_of(std::string_view name) {
  return *std::ranges::find(all_marks(), name, &MarkPlace::name);
}

TEST_CASE("DESIGN-6 marks are known before they are reached, each name once, in order") {
  const auto marks = all_marks();
  CHECK(std::ranges::is_sorted(marks, {}, &MarkPlace::name));
  CHECK(std::ranges::adjacent_find(marks, {}, &MarkPlace::name) == marks.end());
  for (const char* name : {"test.first", "test.instantiated", "test.never"}) {
    CAPTURE(name);
    CHECK(std::ranges::count(marks, name, &MarkPlace::name) == 1);
  }
  first();
  CHECK(place_of("test.first").line == line_of_first);
  CHECK(place_of("test.first").file == "tests/base/mark_test.cc");
}

TEST_CASE("a mark counts in the sink of its run, and nowhere without one") {
  MarkCounts outer;
  first();
  {
    const ScopedMarkCounts scope(outer);
    first();
    first();
    MarkCounts inner;
    {
      const ScopedMarkCounts nested(inner);
      first();
    }
    first();
    CHECK(hits(inner, "test.first") == 1);
  }
  first();
  CHECK(hits(outer, "test.first") == 3);
  CHECK(hits(outer, "test.never") == 0);
  const bool dead = hits(outer, "test.first") == 0;
  if (dead) never();  // a use, so that it is linked
}

TEST_CASE("instantiations of a template count under one name") {
  MarkCounts counts;
  const ScopedMarkCounts scope(counts);
  CHECK(instantiated(1) == 1);
  CHECK(instantiated(2U) == 2U);
  CHECK(hits(counts, "test.instantiated") == 2);
}

TEST_CASE("a limit counts each side of a comparison, and equality") {
  MarkCounts counts;
  int evaluated = 0;
  const auto compare = [&](auto value, auto limit) {
    PHOTON_LIMIT("test.limit", (++evaluated, value), limit);
  };
  compare(1, 2);
  CHECK(evaluated == 0);
  const ScopedMarkCounts scope(counts);
  compare(1, 2);
  compare(2, 2);
  compare(2, 2);
  for (const unsigned limit : {1U, 0U}) compare(2, limit);
  compare(-1, 1U);  // as numbers, whatever their types
  compare(std::string("a"), std::string("b"));
  CHECK(hits(counts, "test.limit.below") == 3);
  CHECK(hits(counts, "test.limit.at") == 2);
  CHECK(hits(counts, "test.limit.above") == 2);
  CHECK(evaluated == 7);
}

TEST_CASE("two runs in two threads count apart") {
  constexpr int kHits = 10'000;
  MarkCounts ours;
  MarkCounts theirs;
  const ScopedMarkCounts scope(ours);
  std::thread other([&] {
    const ScopedMarkCounts nested(theirs);
    for (int i = 0; i < kHits; ++i) first();
  });
  for (int i = 0; i < 2 * kHits; ++i) first();
  other.join();
  CHECK(hits(ours, "test.first") == 2 * kHits);
  CHECK(hits(theirs, "test.first") == kHits);
}

}  // namespace
}  // namespace photon
