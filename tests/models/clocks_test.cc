#include "models/clocks.h"

#include <cstdlib>

#include <rapidcheck.h>

#include "core_impl/base/hash.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

HostClocks::Options stepping() {
  HostClocks::Options out;
  out.epoch = Duration(1'700'000'000'000'000'000);
  out.sync_period = seconds(10);
  out.step_interval = seconds(50);
  out.step_max = milliseconds(95);
  return out;
}

std::int64_t error_of(const HostClocks& clocks, sim::HostId host, SimTime at) {
  return nanoseconds_of(clocks.wall(host, at)) - nanoseconds_of(clocks.calendar(at));
}

SimTime some_time(std::uint64_t word) {
  return SimTime(
      Duration(static_cast<std::int64_t>(uniform_below(mix(word), 3'600'000'000'000ULL))));
}

TEST_CASE("A-31 calendar clocks stay inside the bound, for many hosts, times and settings") {
  HostClocks::Options settings[] = {HostClocks::Options{}, stepping(), stepping()};
  settings[2].sync_error = seconds(1);  // clamped
  settings[2].step_max = seconds(9);
  for (const auto& setting : settings) {
    const HostClocks clocks(5, setting);
    std::int64_t worst = 0;
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      const sim::HostId host(static_cast<std::uint32_t>(i % 100));
      worst = std::max(worst, std::abs(error_of(clocks, host, some_time(i))));
    }
    CHECK(worst <= setting.epsilon.count());
    CHECK(worst > Duration(milliseconds(5)).count());  // they do err
  }
}

TEST_CASE("with ticks and no drift, all readings at a tick are multiples of it, inside the bound") {
  constexpr std::int64_t kTick = 20'000'000;
  for (HostClocks::Options setting : {HostClocks::Options{}, stepping()}) {
    setting.tick = Duration(kTick);
    setting.drift = 0;
    setting.sync_error = milliseconds(90);
    setting.truetime_uncertainty = milliseconds(60);
    const HostClocks clocks(5, setting);
    std::int64_t worst = 0;
    std::int64_t farthest = 0;  // a centre of TrueTime
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      const sim::HostId host(static_cast<std::uint32_t>(i % 100));
      const SimTime drawn = some_time(i);
      const SimTime at = drawn - drawn.time_since_epoch() % kTick;
      CHECK(nanoseconds_of(clocks.wall(host, at)) % kTick == 0);
      CHECK(nanoseconds_of(clocks.monotonic(host, at)) % kTick == 0);
      const auto interval = clocks.true_time(host, at);
      CHECK(nanoseconds_of(interval.earliest) % kTick == 0);
      CHECK(nanoseconds_of(interval.latest) % kTick == 0);
      const std::int64_t truth = nanoseconds_of(clocks.calendar(at));
      CHECK(nanoseconds_of(interval.earliest) <= truth);
      CHECK(nanoseconds_of(interval.latest) >= truth);
      farthest =
          std::max(farthest, std::abs(nanoseconds_of(interval.earliest) + 60'000'000 - truth));
      worst = std::max(worst, std::abs(error_of(clocks, host, at)));
    }
    CHECK(worst == 80'000'000);  // the most below 90 ms
    CHECK(farthest == 60'000'000);
  }
}

TEST_CASE("A-31 at its edge: the largest error and the largest drift still meet the bound") {
  HostClocks::Options edge;
  edge.sync_error = seconds(1);
  edge.drift = 0.003;  // 90 ms in one period of 30 s
  const HostClocks clocks(6, edge);
  std::int64_t worst = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    const sim::HostId host(static_cast<std::uint32_t>(i % 50));
    worst = std::max(worst, std::abs(error_of(clocks, host, some_time(i))));
  }
  CHECK(worst <= edge.epsilon.count());
  CHECK(worst > edge.epsilon.count() * 9 / 10);
}

TEST_CASE("A-12 clocks are stepped when the configuration says so, forwards and backwards") {
  const auto largest_steps = [](const HostClocks& clocks) {
    std::pair<std::int64_t, std::int64_t> steps{0, 0};
    for (std::uint32_t host = 0; host < 20; ++host) {
      SimTime last{};
      for (SimTime now = last + milliseconds(10); now < SimTime(seconds(200));
           now += milliseconds(10)) {
        const std::int64_t change =
            error_of(clocks, sim::HostId(host), now) - error_of(clocks, sim::HostId(host), last);
        steps.first = std::min(steps.first, change);
        steps.second = std::max(steps.second, change);
        last = now;
      }
    }
    return steps;
  };
  const auto [back, forward] = largest_steps(HostClocks(5, stepping()));
  CHECK(back < -Duration(milliseconds(60)).count());
  CHECK(forward > Duration(milliseconds(60)).count());
  HostClocks::Options steady = stepping();
  steady.step_interval = Duration(0);
  const auto [back_without_faults, forward_without_faults] = largest_steps(HostClocks(5, steady));
  CHECK(back_without_faults > -Duration(milliseconds(25)).count());
  CHECK(forward_without_faults < Duration(milliseconds(25)).count());
}

TEST_CASE("A-35 the violated mode really breaks the bound") {
  HostClocks::Options broken = stepping();
  broken.bound = HostClocks::Options::Bound::violated;
  broken.step_max = seconds(2);
  const HostClocks clocks(5, broken);
  std::int64_t worst = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    worst = std::max(
        worst,
        std::abs(error_of(clocks, sim::HostId(static_cast<std::uint32_t>(i % 10)), some_time(i))));
  }
  CHECK(worst > 10 * broken.epsilon.count());
}

TEST_CASE("A-33 a host without TrueTime drifts on, and its bound says from when") {
  constexpr std::uint32_t kHosts = 200;
  HostClocks::Options setting;
  setting.drift = 0.002;
  const SimTime from(seconds(100));
  const SimTime until(seconds(300));
  const HostClocks healthy(5, setting);
  setting.outages = {{7, sim::HostId(10), kHosts, from, until}};
  const HostClocks clocks(5, setting);
  const auto host_of = [](std::uint64_t i) {
    return sim::HostId(static_cast<std::uint32_t>(i % kHosts) + 10);
  };
  std::int64_t worst = 0;          // of all
  std::int64_t worst_trusted = 0;  // of readings for which the bound holds
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    const sim::HostId host = host_of(i);
    const SimTime now(Duration(milliseconds(2 * static_cast<std::int64_t>(i))));
    CAPTURE(host.value(), nanoseconds_of(now));
    const std::int64_t error = std::abs(error_of(clocks, host, now));
    worst = std::max(worst, error);
    const bool near = now >= from && now < until + setting.sync_period;
    // Before and after it all is as usual, and neighbouring hosts are unaffected.
    if (!near) REQUIRE(clocks.wall(host, now) == healthy.wall(host, now));
    if (!near) REQUIRE(clocks.bound().holds(clocks.since_sync(host, now)));
    REQUIRE(clocks.wall(sim::HostId(9), now) == healthy.wall(sim::HostId(9), now));
    if (clocks.bound().holds(clocks.since_sync(host, now))) {
      worst_trusted = std::max(worst_trusted, error);
    }
  }
  CHECK(worst > 3 * setting.epsilon.count());
  CHECK(worst_trusted <= setting.epsilon.count());
  CHECK(worst_trusted > setting.epsilon.count() * 8 / 10);  // the bound does not end much too soon
}

TEST_CASE(
    "A-33 an outage takes effect on a process that acts by a clock that missed its "
    "synchronisation") {
  HostClocks::Options setting;
  const SimTime from(seconds(60));
  const SimTime until(seconds(150));
  setting.outages = {{7, sim::HostId(10), 1, from, until}};
  const HostClocks clocks(5, setting);
  const auto age = [&](SimTime now) { return clocks.since_sync(sim::HostId(10), now); };
  SimTime missed = from;  // the first time at which it is older than it should ever be
  while (age(missed) <= setting.sync_period + milliseconds(10)) missed += milliseconds(1);
  CHECK(missed < until);
  clocks.wall(sim::HostId(10), missed);       // reading alone does not count
  clocks.wall_used(sim::HostId(11), missed);  // another host's
  clocks.wall_used(sim::HostId(10), from + Duration(1));
  clocks.wall_used(sim::HostId(10), until + setting.sync_period);
  CHECK_FALSE(clocks.faults().was_felt(7));
  clocks.wall_used(sim::HostId(10), missed);
  CHECK(clocks.faults().was_felt(7));
}

TEST_CASE("A-32 a configuration whose drift alone breaks the bound is refused") {
  const photon::testing::ChecksThrow checks;
  HostClocks::Options wrong;
  wrong.drift = 0.01;
  CHECK_THROWS_AS(HostClocks(1, wrong), photon::testing::CheckFailed);
  wrong.bound = HostClocks::Options::Bound::violated;
  CHECK_NOTHROW(HostClocks(1, wrong));
}

TEST_CASE("J-S17 a reading depends on host and time only, not on the readings before it") {
  const HostClocks warm(5, stepping());
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const sim::HostId host(static_cast<std::uint32_t>(mix(i) % 7));
    const SimTime at = some_time(i * 31);
    const HostClocks fresh(5, stepping());
    CAPTURE(i);
    REQUIRE(warm.wall(host, at) == fresh.wall(host, at));
    REQUIRE(warm.monotonic(host, at) == fresh.monotonic(host, at));
    REQUIRE(warm.true_time(host, at).earliest == fresh.true_time(host, at).earliest);
  }
}

TEST_CASE("monotonic clocks never move back, differ between hosts and keep their rate within rho") {
  HostClocks::Options fast;
  fast.drift = 200e-6;
  const HostClocks clocks(9, fast);
  std::int64_t largest = 0;
  for (std::uint32_t host = 0; host < 50; ++host) {
    MonotonicTime last = clocks.monotonic(sim::HostId(host), SimTime{});
    CHECK(nanoseconds_of(last) > 0);
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const SimTime at(Duration(static_cast<std::int64_t>(i * 1'234'567 + i / 100)));
      const MonotonicTime now = clocks.monotonic(sim::HostId(host), at);
      REQUIRE(now >= last);
      last = now;
    }
    const auto hour = SimTime(std::chrono::hours(1));
    const auto passed =
        clocks.monotonic(sim::HostId(host), hour) - clocks.monotonic(sim::HostId(host), SimTime{});
    const auto error = std::abs((passed - Duration(std::chrono::hours(1))).count());
    CHECK(error <= 720'000'001);  // 200e-6 of an hour, and rounding
    largest = std::max(largest, error);
  }
  CHECK(largest > 500'000'000);
  CHECK(clocks.monotonic(sim::HostId(1), SimTime{}) != clocks.monotonic(sim::HostId(2), SimTime{}));
}

TEST_CASE("`when` is the exact first instant at which a monotonic clock shows a time") {
  for (const double drift : {0.0, 200e-6, 0.003, 0.3}) {
    HostClocks::Options setting;
    setting.drift = drift;
    setting.bound = HostClocks::Options::Bound::violated;
    const HostClocks clocks(12, setting);
    CAPTURE(drift);
    CHECK(rc::check("first instant", [&] {
      const sim::HostId host(*rc::gen::inRange(0U, 40U));
      const SimTime now(Duration(*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000)));
      const Duration wait(*rc::gen::inRange<std::int64_t>(-1000, 100'000'000'000'000));
      const MonotonicTime due =
          clocks.monotonic(host, now) + wait / *rc::gen::element(1, 1000, 100'000'000);
      const SimTime first = clocks.when(host, due, now);
      RC_ASSERT(first >= now);
      RC_ASSERT(clocks.monotonic(host, first) >= due);
      RC_ASSERT(first == now || clocks.monotonic(host, first - Duration(1)) < due);
    }));
  }
}

TEST_CASE("A-30 TrueTime's interval contains true time, has its width, and wanders") {
  const HostClocks clocks(5, stepping());
  std::int64_t least = 0;
  std::int64_t most = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const SimTime at = some_time(i);
    const TrueTimeInterval interval =
        clocks.true_time(sim::HostId(static_cast<std::uint32_t>(i % 9)), at);
    const std::int64_t truth = nanoseconds_of(clocks.calendar(at));
    REQUIRE(nanoseconds_of(interval.earliest) <= truth);
    REQUIRE(nanoseconds_of(interval.latest) >= truth);
    REQUIRE(interval.latest - interval.earliest == 2 * stepping().truetime_uncertainty);
    const std::int64_t centre = nanoseconds_of(interval.earliest) + 4'000'000 - truth;
    least = std::min(least, centre);
    most = std::max(most, centre);
  }
  CHECK(least < -3'000'000);
  CHECK(most > 3'000'000);
}

}  // namespace
}  // namespace photon::models
