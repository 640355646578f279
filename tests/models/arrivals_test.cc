#include "models/arrivals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core_impl/base/hash.h"
#include "models/clocks.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SimTime at(Duration since_start) { return SimTime(since_start); }

Arrivals::Options options(double per_second, Duration length) {
  Arrivals::Options out;
  out.seed = 11;
  out.server = 5;
  out.host = sim::HostId(2);
  out.start = at(milliseconds(1500));
  out.end = out.start + length;
  out.per_second = per_second;
  return out;
}

std::vector<Arrival> sequence(Arrivals& arrivals) {
  std::vector<Arrival> out;
  for (std::uint64_t i = 0; const auto each = arrivals.find(i); ++i) out.push_back(*each);
  return out;
}

bool same(const Arrival& left, const Arrival& right) {
  return left.at == right.at && left.id == right.id;
}

TEST_CASE("with ticks, events come at multiples, as often as before, some at one moment") {
  const HostClocks clocks(3, {});
  Arrivals::Options all = options(50, seconds(400));
  all.start = at(seconds(2));  // buckets of 1.28 s begin at a tick
  Arrivals free(all, clocks);
  all.tick = milliseconds(10);
  Arrivals bound(all, clocks);
  const std::vector<Arrival> usual = sequence(free);
  const std::vector<Arrival> ticking = sequence(bound);
  REQUIRE(usual.size() == ticking.size());
  std::size_t together = 0;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    CAPTURE(i);
    CHECK(ticking[i].at.time_since_epoch() % milliseconds(10) == Duration::zero());
    CHECK(ticking[i].at <= usual[i].at);
    CHECK(usual[i].at - ticking[i].at < milliseconds(10));
    if (i > 0) together += ticking[i].at == ticking[i - 1].at ? 1 : 0;
    if (i > 0) CHECK(ticking[i].id != ticking[i - 1].id);
  }
  CHECK(together > usual.size() / 5);  // 1 - exp(-0.5) is 39 %
}

TEST_CASE("A-10 A-11 processes of a server share stamps, and each one's own strictly increase") {
  const HostClocks clocks(3, {});
  Arrivals::Options all = options(50, seconds(400));
  all.start = at(seconds(2));
  all.tick = milliseconds(10);
  all.processes = 3;
  Arrivals arrivals(all, clocks);
  std::map<std::uint32_t, Stamp> latest;  // by process
  std::map<Stamp, std::size_t> sharers;
  std::size_t after_all_three = 0;
  for (const Arrival& each : sequence(arrivals)) {
    const auto [last, is_first] = latest.emplace(each.id.process, each.id.stamp);
    if (!is_first) CHECK(last->second < each.id.stamp);
    last->second = each.id.stamp;
    ++sharers[each.id.stamp];
    // The fourth event of a moment is the first process's again, a nanosecond later.
    if (sharers.contains(each.id.stamp - Duration(1))) ++after_all_three;
  }
  CHECK(latest.size() == 3);
  std::map<std::size_t, std::size_t> counts;
  for (const auto& [stamp, count] : sharers) ++counts[count];
  CHECK(counts[2] > 1000);  // of 20,000 events, Poisson with a mean of 0.5 at a moment
  CHECK(counts[3] > 100);
  CHECK(counts.size() == 3);
  CHECK(after_all_three > 10);
}

TEST_CASE(
    "A-11 coarse stamps: each process takes each moment of the clock, then the next nanosecond") {
  const HostClocks clocks(3, {});
  Arrivals::Options all = options(50, seconds(400));
  all.start = at(seconds(2));
  all.processes = 2;
  Arrivals fine(all, clocks);
  all.stamp_resolution = milliseconds(100);
  Arrivals coarse(all, clocks);
  const std::vector<Arrival> events = sequence(fine);
  const std::vector<Arrival> stamped = sequence(coarse);
  REQUIRE(events.size() == stamped.size());
  std::map<Stamp, std::size_t> number;  // of the event, of all with its moment of the clock
  std::size_t twins = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    CAPTURE(i);
    REQUIRE(events[i].at == stamped[i].at);
    const EventId& id = stamped[i].id;
    const Stamp moment =
        events[i].id.stamp - events[i].id.stamp.time_since_epoch() % milliseconds(100);
    const std::size_t before = number[moment]++;
    REQUIRE(id.stamp == moment + Duration(before / 2));
    if (before % 2 == 0) continue;
    ++twins;
    REQUIRE(id.stamp == stamped[i - 1].id.stamp);
    REQUIRE(id.process != stamped[i - 1].id.process);
  }
  CHECK(twins > events.size() / 3);  // 5 events at a moment, in the mean
}

TEST_CASE("random access in any order gives the events of a sequential walk") {
  const HostClocks clocks(3, {});
  // 400,000 events are far more than the cache holds.
  const Arrivals::Options all = options(1000, seconds(400));
  Arrivals walked(all, clocks);
  const std::vector<Arrival> events = sequence(walked);
  REQUIRE(events.size() > 390'000);
  Arrivals jumped(all, clocks);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::uint64_t ordinal = uniform_below(mix(i), events.size());
    CAPTURE(i, ordinal);
    const auto found = jumped.find(ordinal);
    REQUIRE(found.has_value());
    REQUIRE(same(*found, events[ordinal]));
    const ArrivalBatch run = jumped.run_with(ordinal);
    const auto together = jumped.events(run);
    REQUIRE(run.first <= ordinal);
    REQUIRE(ordinal < run.first + together.size());
    for (std::size_t k = 0; k < together.size(); ++k) {
      REQUIRE(same(together[k], events[run.first + k]));
    }
  }
}

TEST_CASE("count_before agrees with the events, at and around each of them") {
  const HostClocks clocks(3, {});
  for (const double rate : {0.01, 3.0, 5000.0}) {
    CAPTURE(rate);
    Arrivals arrivals(options(rate, rate < 1 ? seconds(5000) : seconds(7)), clocks);
    Arrivals asked(arrivals.options(), clocks);
    const std::vector<Arrival> events = sequence(arrivals);
    REQUIRE_FALSE(events.empty());
    CHECK(asked.total() == events.size());
    CHECK(asked.count_before(arrivals.options().start) == 0);
    CHECK(asked.count_before(SimTime{}) == 0);
    CHECK(asked.count_before(arrivals.options().end + seconds(100)) == events.size());
    for (std::size_t i = 0; i < events.size(); i += 1 + events.size() / 500) {
      CAPTURE(i);
      const auto before = std::ranges::lower_bound(events, events[i].at, {}, &Arrival::at);
      REQUIRE(asked.count_before(events[i].at) ==
              static_cast<std::uint64_t>(before - events.begin()));
      REQUIRE(asked.count_before(events[i].at + Duration(1)) >= i + 1);
    }
  }
}

TEST_CASE("events lie inside [start, end), in order of time") {
  const HostClocks clocks(3, {});
  Arrivals arrivals(options(700, milliseconds(12'345)), clocks);
  const std::vector<Arrival> events = sequence(arrivals);
  CHECK(std::ranges::is_sorted(events, {}, &Arrival::at));
  CHECK(events.front().at >= arrivals.options().start);
  CHECK(events.back().at < arrivals.options().end);
}

TEST_CASE(
    "arrivals are Poisson: counts in windows have equal mean and variance, gaps are exponential") {
  const HostClocks clocks(3, {});
  // Windows of 10 ms are unrelated to the buckets, which are 64 ms wide here.
  Arrivals arrivals(options(1000, seconds(200)), clocks);
  const SimTime start = arrivals.options().start;
  double sum = 0;
  double squares = 0;
  constexpr int kWindows = 20'000;
  std::uint64_t before = 0;
  for (int i = 1; i <= kWindows; ++i) {
    const std::uint64_t now = arrivals.count_before(start + milliseconds(10) * i);
    const auto count = static_cast<double>(now - before);
    sum += count;
    squares += count * count;
    before = now;
  }
  const double mean = sum / kWindows;
  CHECK(mean == Approx(10).margin(4 * std::sqrt(10.0 / kWindows)));
  CHECK(squares / kWindows - mean * mean == Approx(10).epsilon(0.05));
  const std::vector<Arrival> events = sequence(arrivals);
  const auto long_gaps =
      std::ranges::count_if(events, [&, last = start](const Arrival& event) mutable {
        const bool is_long = event.at - last > milliseconds(1);
        last = event.at;
        return is_long;
      });
  CHECK(static_cast<double>(long_gaps) / static_cast<double>(events.size()) ==
        Approx(std::exp(-1)).epsilon(0.02));
}

TEST_CASE("A-11 A-12 ids strictly increase, also where the clock is stepped back") {
  HostClocks::Options stepping;
  stepping.sync_period = seconds(2);
  stepping.sync_error = milliseconds(5);
  stepping.step_interval = seconds(4);
  stepping.step_max = milliseconds(90);
  const HostClocks clocks(8, stepping);
  Arrivals arrivals(options(2000, seconds(60)), clocks);
  const std::vector<Arrival> events = sequence(arrivals);
  int steps_back = 0;
  int held = 0;
  for (std::size_t i = 1; i < events.size(); ++i) {
    REQUIRE(events[i - 1].id < events[i].id);
    REQUIRE(events[i].id.server == 5);
    const LocalTime wall = clocks.wall(sim::HostId(2), events[i].at);
    steps_back += wall < clocks.wall(sim::HostId(2), events[i - 1].at) ? 1 : 0;
    held += events[i].id.stamp > stamp_from(wall) ? 1 : 0;
    // a stamp held back by the generator stays inside the bound.
    const std::int64_t ahead =
        nanoseconds_of(events[i].id.stamp) - nanoseconds_of(clocks.calendar(events[i].at));
    REQUIRE(std::abs(ahead) <= stepping.epsilon.count());
  }
  CHECK(steps_back > 3);  // the case really happened
  CHECK(held > 100);
}

TEST_CASE("A-33 events that a server cannot name do not happen, and shift no others") {
  HostClocks::Options setting;
  setting.drift = 0.002;
  const HostClocks healthy(8, setting);
  setting.outages = {{0, sim::HostId(2), 1, SimTime(seconds(30)), SimTime(seconds(200))}};
  const HostClocks clocks(8, setting);
  Arrivals::Options guarded = options(50, seconds(400));
  Arrivals all(guarded, healthy);
  Arrivals drifting(guarded, clocks);  // the stop is off
  guarded.bound = clocks.bound();
  Arrivals arrivals(guarded, clocks);
  Arrivals jumped(guarded, clocks);
  const std::vector<Arrival> expected = sequence(all);
  const std::vector<Arrival> events = sequence(arrivals);
  CHECK(sequence(drifting).size() == expected.size());
  CHECK(drifting.unnamed() == 0);
  CHECK(arrivals.unnamed() > 50 * 80);
  CHECK(events.size() + arrivals.unnamed() == expected.size());
  CHECK(jumped.unnamed() == arrivals.unnamed());
  auto next = expected.begin();
  for (std::size_t i = 0; i < events.size(); ++i) {
    CAPTURE(i);
    next = std::ranges::find(next, expected.end(), events[i].at, &Arrival::at);
    REQUIRE(next != expected.end());
    const std::int64_t error =
        nanoseconds_of(events[i].id.stamp) - nanoseconds_of(clocks.calendar(events[i].at));
    REQUIRE(std::abs(error) <= setting.epsilon.count());
    if (i > 0) REQUIRE(events[i - 1].id < events[i].id);
    const std::size_t back = events.size() - 1 - i;
    REQUIRE(same(jumped.arrival(back), events[back]));
  }
  CHECK(events.back().at > SimTime(seconds(390)));
}

TEST_CASE("a rate of zero, or no time at all, gives no events and ends the search") {
  const HostClocks clocks(3, {});
  Arrivals silent(options(0, std::chrono::hours(1000)), clocks);
  CHECK(silent.total() == 0);
  CHECK_FALSE(silent.find(0).has_value());
  Arrivals empty(options(100, seconds(0)), clocks);
  CHECK(empty.total() == 0);
  CHECK_FALSE(empty.find(0).has_value());
  const photon::testing::ChecksThrow checks;
  CHECK_THROWS_AS(empty.arrival(0), photon::testing::CheckFailed);
}

TEST_CASE("renewed arrivals keep what was asked about, and draw the rest anew at the same rate") {
  const HostClocks clocks(3, {});
  const Arrivals::Options all = options(50, seconds(60));  // buckets of more than a second
  Arrivals plain(all, clocks);
  const std::vector<Arrival> before = sequence(plain);
  std::vector<double> later;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Arrivals renewed(all, clocks);
    const std::uint64_t asked = renewed.count_before(all.start + milliseconds(20'300));
    const Arrival next = *renewed.find(asked);
    renewed.renew(seed);
    const std::vector<Arrival> after = sequence(renewed);
    REQUIRE(std::ranges::is_sorted(after, {}, &Arrival::at));
    for (std::uint64_t i = 0; i <= asked; ++i) REQUIRE(same(after[i], before[i]));
    CHECK_FALSE(same(after[asked + 1], before[asked + 1]));
    later.push_back(static_cast<double>(after.size() - asked - 1));
    // Random access gives the same again.
    for (std::uint64_t i = 0; i < after.size(); i += 97)
      REQUIRE(same(renewed.arrival(i), after[i]));
    CHECK(renewed.arrival(asked).at == next.at);
  }
  double mean = 0;
  for (const double each : later) mean += each / static_cast<double>(later.size());
  const double expected = 50 * 39.7;  // from the last event that was asked about, about
  CHECK(std::abs(mean - expected) < 4 * std::sqrt(expected / 200) + 50 * 0.05);
}

TEST_CASE("arrivals that something has been told are over stay over") {
  const HostClocks clocks(3, {});
  Arrivals arrivals(options(50, seconds(5)), clocks);
  const std::uint64_t total = arrivals.total();
  REQUIRE_FALSE(arrivals.find(total));
  arrivals.renew(9);
  CHECK_FALSE(arrivals.find(total));
  CHECK(arrivals.total() == total);
}

}  // namespace
}  // namespace photon::models
