#include "models/clock_faults.h"

#include <algorithm>

#include "models/clocks.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr sim::HostId kHost{3};
constexpr sim::HostId kOther{4};
constexpr SimTime kFrom{seconds(100)};
constexpr SimTime kUntil{seconds(140)};

ClockFault fault_of(ClockError error, Duration by, std::int64_t rate_ppb = 0) {
  return {7, error, kHost, 1, kFrom, kUntil, by, rate_ppb};
}

HostClocks with(const ClockFault& fault,
                HostClocks::Options::Bound bound = HostClocks::Options::Bound::respected) {
  HostClocks::Options options;
  options.faults = {fault};
  options.bound = bound;
  return HostClocks(11, options);
}

// How much later the calendar clock of the host is than without the fault.
Duration shift(const HostClocks& clocks, sim::HostId host, SimTime at) {
  const HostClocks usual(11, {});
  return clocks.wall(host, at) - usual.wall(host, at);
}

TEST_CASE("clock faults: an offset exists from its begin to its end, on its host alone") {
  const Duration by = GENERATE(Duration(milliseconds(40)), Duration(milliseconds(-40)));
  const HostClocks clocks = with(fault_of(ClockError::offset, by));
  CHECK(shift(clocks, kHost, kFrom - Duration(1)) == Duration{});
  CHECK(shift(clocks, kHost, kFrom) == by);
  CHECK(shift(clocks, kHost, kUntil - Duration(1)) == by);
  CHECK(shift(clocks, kHost, kUntil) == Duration{});
  CHECK(shift(clocks, kOther, kFrom + seconds(1)) == Duration{});
  // In any order: a reading is a pure function.
  CHECK(shift(clocks, kHost, kFrom) == by);
  // Reading the clock does not count; acting by it does.
  CHECK_FALSE(clocks.faults().was_felt(7));
  clocks.wall_used(kOther, kFrom);
  clocks.wall_used(kHost, kUntil);
  CHECK_FALSE(clocks.faults().was_felt(7));
  clocks.wall_used(kHost, kFrom);
  CHECK(clocks.faults().was_felt(7));
}

TEST_CASE("DESIGN-6 a fault within the usual clock error has no effect") {
  const Duration sync_error = HostClocks::Options{}.sync_error;
  const auto felt = [](const ClockFault& fault, SimTime at) {
    const HostClocks clocks = with(fault);
    clocks.wall_used(kHost, at);
    return clocks.faults().was_felt(7);
  };
  CHECK_FALSE(felt(fault_of(ClockError::offset, Duration(1)), kFrom));
  CHECK_FALSE(felt(fault_of(ClockError::offset, -sync_error), kFrom));
  CHECK(felt(fault_of(ClockError::offset, -sync_error - Duration(1)), kFrom));
  CHECK_FALSE(felt(fault_of(ClockError::step, sync_error), kFrom));
  CHECK(felt(fault_of(ClockError::step, sync_error + Duration(1)), kFrom));
  CHECK_FALSE(felt(fault_of(ClockError::step, milliseconds(50)), kFrom + seconds(30)));
  const ClockFault drift = fault_of(ClockError::drift, {}, 1'000'000);  // 1 ms a second
  CHECK_FALSE(felt(drift, kFrom + seconds(9)));
  CHECK(felt(drift, kFrom + seconds(11)));
  CHECK_FALSE(felt(fault_of(ClockError::freeze, {}), kFrom + milliseconds(9)));
  CHECK(felt(fault_of(ClockError::freeze, {}), kFrom + milliseconds(11)));
}

TEST_CASE("DESIGN-6 each of two offsets is compared with the reading without it") {
  HostClocks::Options options;
  options.faults = {fault_of(ClockError::offset, milliseconds(40)),
                    fault_of(ClockError::offset, milliseconds(5))};
  options.faults[1].fault = 8;
  const HostClocks clocks(11, options);
  clocks.wall_used(kHost, kFrom);
  CHECK(clocks.faults().was_felt(7));
  CHECK_FALSE(clocks.faults().was_felt(8));
}

TEST_CASE(
    "DESIGN-6 an interval that moved and contains true time, or barely widened, has no effect") {
  const HostClocks near = with(fault_of(ClockError::lying_interval, Duration(1)));
  for (SimTime at = kFrom; at < kUntil; at += milliseconds(900)) near.true_time(kHost, at);
  CHECK_FALSE(near.faults().was_felt(7));
  HostClocks::Options options;
  options.outages = {{7, kHost, 1, kFrom, kUntil}};
  const HostClocks cut_off(11, options);
  // 200 ppm of 100 ms are half a hundredth of 4 ms.
  cut_off.true_time(kHost, kFrom + milliseconds(100));
  cut_off.true_time(kOther, kFrom + seconds(10));
  CHECK_FALSE(cut_off.faults().was_felt(7));
  cut_off.true_time(kHost, kFrom + seconds(1));
  CHECK(cut_off.faults().was_felt(7));
  const HostClocks slow = with(fault_of(ClockError::monotonic_drift, {}, 200'000));
  slow.monotonic(kHost, kUntil);  // such a rate is within its usual drift
  CHECK_FALSE(slow.faults().was_felt(7));
}

TEST_CASE("clock faults: a drift grows, and is corrected at its end") {
  const HostClocks clocks = with(fault_of(ClockError::drift, {}, -1'000'000));
  CHECK(shift(clocks, kHost, kFrom) == Duration{});
  CHECK(shift(clocks, kHost, kFrom + seconds(10)) == milliseconds(-10));
  CHECK(shift(clocks, kHost, kFrom + seconds(30)) == milliseconds(-30));
  CHECK(shift(clocks, kHost, kUntil) == Duration{});
}

TEST_CASE("clock faults: a step lasts until the next synchronisation, a freeze stands still") {
  const HostClocks stepped = with(fault_of(ClockError::step, milliseconds(50)));
  CHECK(shift(stepped, kHost, kFrom) == milliseconds(50));
  // Synchronised every 30 s: once between the two, and correct from then on.
  CHECK(shift(stepped, kHost, kFrom + seconds(30)) == Duration{});
  SimTime end = kFrom;
  while (shift(stepped, kHost, end) != Duration{}) end += milliseconds(1);
  CHECK(stepped.since_sync(kHost, end) < milliseconds(1));

  const HostClocks frozen =
      with(fault_of(ClockError::freeze, {}), HostClocks::Options::Bound::violated);
  const LocalTime shown = frozen.wall(kHost, kFrom);
  for (const auto after : {milliseconds(1), milliseconds(700), milliseconds(39'999)}) {
    CHECK(frozen.wall(kHost, kFrom + after) == shown);
  }
  CHECK(shift(frozen, kHost, kUntil) == Duration{});
}

TEST_CASE("A-31 clock faults keep a clock inside a bound that is respected") {
  using Bound = HostClocks::Options::Bound;
  const ClockFault fault =
      GENERATE(fault_of(ClockError::offset, seconds(5)), fault_of(ClockError::offset, seconds(-5)),
               fault_of(ClockError::drift, {}, 400'000'000), fault_of(ClockError::step, seconds(2)),
               fault_of(ClockError::freeze, {}));
  const auto worst = [](const HostClocks& clocks) {
    Duration most{};
    for (SimTime at = kFrom; at < kUntil; at += milliseconds(7)) {
      most = std::max(most,
                      Duration(std::abs((clocks.wall(kHost, at) - clocks.calendar(at)).count())));
    }
    return most;
  };
  CHECK(worst(with(fault)) == HostClocks::Options{}.epsilon);
  CHECK(worst(with(fault, Bound::violated)) > seconds(1));
}

TEST_CASE("A-30 false TrueTime does not contain true time; without answers it widens") {
  const HostClocks lying = with(fault_of(ClockError::lying_interval, seconds(-2)));
  const auto contains = [](const HostClocks& clocks, SimTime at) {
    const TrueTimeInterval interval = clocks.true_time(kHost, at);
    const std::int64_t truth = nanoseconds_of(clocks.calendar(at));
    return nanoseconds_of(interval.earliest) <= truth && truth <= nanoseconds_of(interval.latest);
  };
  CHECK(contains(lying, kFrom - Duration(1)));
  CHECK_FALSE(lying.faults().was_felt(7));
  CHECK_FALSE(contains(lying, kFrom));
  CHECK(lying.faults().was_felt(7));
  CHECK(contains(lying, kUntil));

  HostClocks::Options options;
  options.outages = {{7, kHost, 1, kFrom, kUntil}};
  const HostClocks cut_off(11, options);
  const auto width = [&](sim::HostId host, SimTime at) {
    const TrueTimeInterval interval = cut_off.true_time(host, at);
    return Duration(interval.latest - interval.earliest);
  };
  const Duration usual = 2 * options.truetime_uncertainty;
  CHECK(width(kHost, kFrom - Duration(1)) == usual);
  for (std::int64_t s = 0; s < 40; ++s) CHECK(contains(cut_off, kFrom + seconds(s)));
  // 200 ppm of 30 s to either side.
  CHECK(width(kHost, kFrom + seconds(30)) >= usual + 2 * Duration(milliseconds(6)));
  CHECK(width(kHost, kFrom + seconds(30)) < usual + 2 * Duration(milliseconds(7)));
  CHECK(width(kOther, kFrom + seconds(30)) == usual);
  CHECK(width(kHost, kUntil) == usual);
}

TEST_CASE(
    "clock faults: a monotonic clock at another rate never moves back, and timers follow it") {
  const std::int64_t rate = GENERATE(300'000'000, -300'000'000);
  const HostClocks clocks = with(fault_of(ClockError::monotonic_drift, {}, rate));
  const HostClocks usual(11, {});
  const auto gained = [&](SimTime at) {
    return clocks.monotonic(kHost, at) - usual.monotonic(kHost, at);
  };
  CHECK(gained(kFrom) == Duration{});
  CHECK_FALSE(clocks.faults().was_felt(7));
  CHECK(gained(kFrom + seconds(10)) == Duration(10 * rate));
  CHECK(gained(kUntil + seconds(500)) == Duration(40 * rate));
  CHECK(clocks.faults().was_felt(7));
  MonotonicTime last = clocks.monotonic(kHost, kFrom - seconds(1));
  for (SimTime at = kFrom - seconds(1); at < kUntil + seconds(1); at += milliseconds(13)) {
    const MonotonicTime now = clocks.monotonic(kHost, at);
    CHECK(now >= last);
    last = now;
    // The first instant at which it shows its present value.
    const SimTime due = clocks.when(kHost, now + milliseconds(250), at);
    CHECK(clocks.monotonic(kHost, due) >= now + milliseconds(250));
    CHECK(clocks.monotonic(kHost, due - Duration(1)) < now + milliseconds(250));
  }
}

}  // namespace
}  // namespace photon::models
