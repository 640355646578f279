#include "analysis/theory/catch_up.h"

#include <limits>

#include "tests/support/catch.h"

namespace photon::analysis::theory {

TEST_CASE("G-13 two days take 5.3 h with a capacity of ten times the arrivals, 2.5 h with twenty") {
  constexpr double kHour = 3600;
  CHECK(*catch_up_seconds(48 * kHour, {100, 1000}) / kHour == Approx(48.0 / 9));
  CHECK(*catch_up_seconds(48 * kHour, {100, 2000}) / kHour == Approx(48.0 / 19));
  CHECK(*catch_up_seconds(48 * kHour, {7, 70}) / kHour == Approx(48.0 / 9));
}

TEST_CASE("G-13 a catch-up stepped second by second takes as long") {
  const CatchUpRates rates{.arrivals_per_second = 40, .capacity_per_second = 95};
  double backlog = 600 * rates.arrivals_per_second;
  int seconds = 0;
  for (; backlog > 0; ++seconds) {
    CHECK(*backlog_after(600, seconds, rates) == Approx(backlog));
    backlog += rates.arrivals_per_second - rates.capacity_per_second;
  }
  CHECK(*catch_up_seconds(600, rates) == Approx(seconds).margin(1));
  CHECK(*backlog_after(600, seconds, rates) == 0);
}

TEST_CASE("G-13 the lookup before the send speeds a catch-up up by what it spares") {
  // A lookup costs 1 ms, a join 9 ms; 98 % are present. Without the lookup, each click is joined.
  const auto with =
      worker_capacity_per_second({.lookup_seconds = 0.001, .join_seconds = 0.009}, 0.98);
  const auto without = worker_capacity_per_second({.lookup_seconds = 0, .join_seconds = 0.009}, 0);
  REQUIRE(with);
  REQUIRE(without);
  CHECK(*with == Approx(1 / 0.00118));
  const CatchUpRates rates{.arrivals_per_second = 50, .capacity_per_second = *with};
  const auto speed_up = catch_up_speed_up(rates, *without);
  REQUIRE(speed_up);
  CHECK(*speed_up ==
        Approx(*catch_up_seconds(1000, {50, *without}) / *catch_up_seconds(1000, rates)));
  CHECK(*speed_up > 10);
}

TEST_CASE("A backlog that never drains has no time, nor one with impossible arguments") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const CatchUpRates rates :
       {CatchUpRates{100, 100}, CatchUpRates{100, 50}, CatchUpRates{nan, 50}, CatchUpRates{1, nan},
        CatchUpRates{-1, 1}}) {
    CHECK_FALSE(drain_seconds(10, rates));
    CHECK_FALSE(catch_up_seconds(10, rates));
    CHECK_FALSE(backlog_after(10, 1, rates));
    CHECK_FALSE(catch_up_speed_up(rates, 1e9));
    CHECK_FALSE(catch_up_speed_up({100, 1000}, 100));
  }
  CHECK_FALSE(drain_seconds(nan, {1, 2}));
  CHECK_FALSE(drain_seconds(-1, {1, 2}));
  CHECK_FALSE(catch_up_seconds(nan, {1, 2}));
  CHECK_FALSE(backlog_after(1, nan, {1, 2}));
  CHECK_FALSE(worker_capacity_per_second({0, 1}, 1));
  CHECK_FALSE(worker_capacity_per_second({1, 1}, 1.1));
  CHECK_FALSE(worker_capacity_per_second({nan, 1}, 0.5));
  CHECK(*drain_seconds(0, {0, 1}) == 0);
}

}  // namespace photon::analysis::theory
