#include "sim/event_list.h"

#include <algorithm>
#include <vector>

#include "tests/support/catch.h"

namespace photon::sim {
namespace {

constexpr std::size_t kEvents = 2'000;  // some blocks, the last one not full

Event event_at(std::size_t time) {
  Event event;
  event.time = static_cast<std::int64_t>(time);
  return event;
}

}  // namespace

TEST_CASE("An event list hands out its events in order and keeps those that are not taken") {
  EventList list;
  for (std::size_t i = 0; i < kEvents; ++i) list.add(event_at(i + 1));
  REQUIRE(list.size() == kEvents);
  CHECK(list[kEvents - 1].time == kEvents);
  std::vector<std::int64_t> taken;
  list.drain([&taken](const Event& event) {
    if (event.time % 3 == 0) return false;
    taken.push_back(event.time);
    return true;
  });
  REQUIRE(taken.size() + list.size() == kEvents);
  CHECK(std::ranges::is_sorted(taken));
  for (std::size_t i = 0; i < list.size(); ++i)
    REQUIRE(list[i].time == static_cast<std::int64_t>(3 * i + 3));
  // What comes next stands after what was kept.
  list.add(event_at(1));
  CHECK(list[list.size() - 1].time == 1);
}

TEST_CASE("An event list knows the least and the greatest of its present times") {
  EventList list;
  for (const std::size_t time : {7U, 3U, 9U}) list.add(event_at(time));
  CHECK(list.least() == 3);
  CHECK(list.greatest() == 9);
  list.drain([](const Event& event) { return event.time != 7; });
  CHECK(list.least() == 7);
  CHECK(list.greatest() == 7);
  list.drain([](const Event&) { return true; });
  CHECK(list.empty());
  CHECK(list.least() > list.greatest());
}

}  // namespace photon::sim
