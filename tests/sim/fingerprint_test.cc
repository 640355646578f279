#include "sim/fingerprint.h"

#include <set>

#include "tests/support/catch.h"

namespace photon::sim {
namespace {

struct Seen {
  Event event{.time = 50, .order = 0, .target = 2, .tag = 0x301, .payload = 0};
  DatacenterId datacenter{1};
  std::uint32_t incarnation = 4;
  std::uint64_t digest = 99;
};

std::uint64_t after(const std::vector<Seen>& events) {
  Fingerprints prints(3);
  std::uint64_t number = 0;
  for (const Seen& seen : events) {
    prints.witness(seen.event, ++number, seen.datacenter, seen.incarnation, seen.digest);
  }
  return prints.value();
}

Seen with_digest(std::uint64_t digest, std::uint32_t datacenter) {
  Seen seen;
  seen.digest = digest;
  seen.datacenter = DatacenterId(static_cast<std::uint16_t>(datacenter));
  return seen;
}

Event numbered(std::uint64_t number) {
  return Event{.time = static_cast<std::int64_t>(number) * 10, .target = 1, .tag = 7};
}

}  // namespace

TEST_CASE("DESIGN-5 every part of an event is in the fingerprint, down to one bit") {
  std::set<std::uint64_t> values{after({}), after({Seen{}})};
  std::size_t variants = 2;
  const auto vary = [&](auto change) {
    Seen seen;
    change(seen);
    values.insert(after({seen}));
    ++variants;
  };
  for (unsigned bit = 0; bit < 32; ++bit) {
    vary([bit](Seen& seen) { seen.event.time ^= std::int64_t{1} << bit; });
    vary([bit](Seen& seen) { seen.event.target ^= 1U << bit; });
    vary([bit](Seen& seen) { seen.event.tag ^= 1U << bit; });
    vary([bit](Seen& seen) { seen.incarnation ^= 1U << bit; });
    vary([bit](Seen& seen) { seen.digest ^= std::uint64_t{1} << (2 * bit); });
  }
  vary([](Seen& seen) { seen.datacenter = DatacenterId(0); });
  vary([](Seen& seen) { seen.datacenter = DatacenterId(2); });
  CHECK(values.size() == variants);
}

TEST_CASE("DESIGN-5 order counts inside a datacenter, not between two") {
  CHECK(after({with_digest(1, 0), with_digest(2, 0)}) !=
        after({with_digest(2, 0), with_digest(1, 0)}));
  CHECK(after({with_digest(1, 0), with_digest(2, 1)}) ==
        after({with_digest(2, 1), with_digest(1, 0)}));
  CHECK(after({with_digest(1, 0), with_digest(1, 0)}) != after({with_digest(1, 0)}));
}

TEST_CASE("DESIGN-5 check points are few, evenly spaced, and name the first difference") {
  constexpr std::uint64_t kEvents = 5'000'000;
  constexpr std::uint64_t kChanged = 3'333'333;
  Fingerprints one(2);
  Fingerprints other(2);
  for (std::uint64_t number = 1; number <= kEvents; ++number) {
    one.witness(numbered(number), number, DatacenterId(0), 1, 5);
    other.witness(numbered(number), number, DatacenterId(0), 1, number == kChanged ? 6 : 5);
  }
  const auto& points = one.check_points();
  REQUIRE(points.size() == other.check_points().size());
  CHECK(points.size() <= Fingerprints::kMostPoints);
  CHECK(points.size() >= Fingerprints::kMostPoints / 2 - 1);
  const std::uint64_t spacing = points.front().events;
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(points[i].events == (i + 1) * spacing);
    CHECK(points[i].at == SimTime(Duration(10 * static_cast<std::int64_t>(points[i].events))));
    CHECK((points[i] == other.check_points()[i]) == (points[i].events < kChanged));
  }
  CHECK(kEvents - points.back().events < spacing);
}

TEST_CASE("DESIGN-5 a watch records the events of its window as they were") {
  Fingerprints prints(2);
  prints.watch(3, 2);
  for (std::uint64_t number = 1; number <= 9; ++number) {
    prints.witness(numbered(number), number, DatacenterId(1), 8, number * number);
  }
  REQUIRE(prints.watched().size() == 2);
  CHECK(prints.watched()[0] ==
        WitnessedEvent{3, SimTime(Duration(30)), 7, 1, 8, 9, DatacenterId(1)});
  CHECK(prints.watched()[1].number == 4);
}

}  // namespace photon::sim
