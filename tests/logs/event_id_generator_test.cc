#include "core_impl/logs/event_id_generator.h"

#include <algorithm>
#include <set>

#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon::logs {
namespace {

LocalTime wall(std::int64_t nanoseconds) { return from_nanoseconds<LocalTime>(nanoseconds); }

}  // namespace

TEST_CASE("A-11 threads of one process that generate in the same tick get different ids") {
  EventIdGenerator generator(7, process_field(3, Incarnation{1}));
  std::set<EventId> seen;
  const RandomStream random(1, Purpose::test, 0);
  std::int64_t tick = 1'000'000;
  for (std::uint64_t event = 0; event < 20'000; ++event) {
    // The clock moves in ticks of 1 ms and sometimes not for hundreds of events.
    if (uniform_below(random.word(event), 300) == 0) tick += 1'000'000;
    const EventId id = generator.next_id(wall(tick));
    CHECK(seen.insert(id).second);
    CHECK(id.stamp >= stamp_from(wall(tick)));
  }
  CHECK(seen.size() == 20'000);
}

TEST_CASE("A-11 a stamp is the clock's reading when the clock has moved on") {
  EventIdGenerator generator(1, 1);
  CHECK(generator.next(wall(500)) == from_nanoseconds<Stamp>(500));
  CHECK(generator.next(wall(500)) == from_nanoseconds<Stamp>(501));
  CHECK(generator.next(wall(900)) == from_nanoseconds<Stamp>(900));
}

TEST_CASE("A-12 stamps keep increasing when the clock is stepped back") {
  EventIdGenerator generator(1, 1);
  const Stamp before = generator.next(wall(1'000'000));
  const Stamp after = generator.next(wall(800'000));  // stepped back by 200 us
  CHECK(after == before + Duration(1));
  CHECK(generator.next(wall(2'000'000)) == from_nanoseconds<Stamp>(2'000'000));
}

TEST_CASE("A-13 a restart with the same process number and an older clock reuses no id") {
  std::set<EventId> seen;
  for (std::uint32_t life = 1; life <= 5; ++life) {
    EventIdGenerator generator(9, process_field(1, Incarnation{life}));
    for (int event = 0; event < 100; ++event) {
      CHECK(seen.insert(generator.next_id(wall(1'000 - 10 * life))).second);
    }
  }
  CHECK(process_field(1, Incarnation{2}) != process_field(2, Incarnation{1}));
  CHECK(process_field(0, Incarnation{1}) != 0);  // never the null id
}

TEST_CASE("A-10 processes of many servers, with equal clocks and no messages, share no id") {
  std::set<EventId> seen;
  for (std::uint32_t server = 0; server < 20; ++server) {
    for (std::uint32_t process = 0; process < 20; ++process) {
      EventIdGenerator generator(server, process_field(process, Incarnation{1}));
      for (int event = 0; event < 10; ++event) {
        const EventId id = generator.next_id(wall(5'000));
        CHECK(id.server == server);
        CHECK(seen.insert(id).second);
      }
    }
  }
  CHECK(seen.size() == 4'000);
}

TEST_CASE("A-33 a server without TrueTime for too long issues no ids") {
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  // 10 ms + 0.02% of t reach 100 ms after 450 s; the monotonic clock may be 90 ms slow by then.
  const ClockBound bound({milliseconds(100), milliseconds(10), 200'000});
  CHECK(bound.longest() <= seconds(450) - milliseconds(90));
  CHECK(bound.longest() > seconds(450) - milliseconds(91));
  EventIdGenerator generator(7, 1);
  EventIdGenerator unasked = generator;
  const auto last = generator.next_id({wall(1000), bound.longest()}, bound);
  REQUIRE(last.has_value());
  CHECK(last->stamp == from_nanoseconds<Stamp>(1000));
  CHECK(unasked.next_id(wall(1000)) == *last);
  for (const Duration since : {bound.longest() + Duration(1), Duration(seconds(100'000))}) {
    CHECK_FALSE(generator.next_id({wall(900'000), since}, bound).has_value());
  }
  CHECK(generator == unasked);
  // It continues after the next synchronisation, which may have set the clock back.
  CHECK(generator.next_id({wall(500), Duration(0)}, bound) == unasked.next_id(wall(500)));
}

TEST_CASE("A-33 the time a clock may run without TrueTime, at the ends of its range") {
  using std::chrono::milliseconds;
  CHECK(ClockBound({milliseconds(5), milliseconds(5), 0}).holds(Duration::max()));
  CHECK(ClockBound({Duration::max(), Duration(0), 1}).holds(Duration::max()));
  CHECK(ClockBound({milliseconds(5), milliseconds(5), 1000}).holds(Duration(0)));
  CHECK_FALSE(ClockBound({milliseconds(5), milliseconds(5), 1000}).holds(Duration(1)));
  CHECK_FALSE(ClockBound({milliseconds(5), milliseconds(6), 0}).holds(Duration(0)));
}

TEST_CASE("a copied generator produces the same ids again") {
  EventIdGenerator generator(2, process_field(4, Incarnation{1}));
  generator.next(wall(100));
  EventIdGenerator again = generator;
  CHECK(again == generator);
  for (std::int64_t at : {50, 60, 101, 5000}) {
    CHECK(generator.next_id(wall(at)) == again.next_id(wall(at)));
  }
}

}  // namespace photon::logs
