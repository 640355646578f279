#include "analysis/capacity/stationarity.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/capacity/use_over_time.h"
#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

struct Watched {
  std::vector<double> backlog{};
  std::vector<double> arrived{};

  BacklogTrend trend() const { return backlog_trend(backlog, arrived, 1.0); }
};

// 100 arrivals a second.
Watched with_constant_arrivals(std::vector<double> backlog) {
  Watched watched{std::move(backlog), {}};
  for (std::size_t i = 0; i < watched.backlog.size(); ++i) {
    watched.arrived.push_back(100.0 * static_cast<double>(i + 1));
  }
  return watched;
}

// A single server at this share of its capacity, 100 arrivals a second, sampled once a second.
Watched queue_of(double utilisation, std::size_t seconds, std::uint64_t seed) {
  const RandomStream stream(seed, Purpose::test, 0);
  std::uint64_t draws = 0;
  const auto exponential = [&](double rate) {
    const double uniform =
        (static_cast<double>(stream.word(draws++) >> 11U) + 0.5) / 9007199254740992.0;
    return -std::log(uniform) / rate;
  };
  Watched watched;
  std::vector<double> departures;
  double now = 0, free = 0;
  std::size_t left = 0;
  while (watched.backlog.size() < seconds) {
    now += exponential(100);
    while (static_cast<double>(watched.backlog.size() + 1) <= now &&
           watched.backlog.size() < seconds) {
      const double at = static_cast<double>(watched.backlog.size() + 1);
      while (left < departures.size() && departures[left] <= at) ++left;
      watched.backlog.push_back(static_cast<double>(departures.size() - left));
      watched.arrived.push_back(static_cast<double>(departures.size()));
    }
    free = std::max(free, now) + exponential(100 / utilisation);
    departures.push_back(free);
  }
  return watched;
}

}  // namespace

TEST_CASE("backlog trend: a queue above its capacity grows, at the rate of the excess") {
  for (const double utilisation : {1.05, 1.2, 2.0}) {
    const auto trend = queue_of(utilisation, 300, 7).trend();
    CHECK(trend.verdict == Stationarity::growing);
    CHECK(trend.growth_per_second == Approx(100 - 100 / utilisation).margin(3));
  }
}

TEST_CASE("backlog trend: no queue below its capacity is accused, also near it") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (const double utilisation : {0.5, 0.9, 0.97}) {
      CAPTURE(seed, utilisation);
      CHECK(queue_of(utilisation, 300, seed).trend().verdict == Stationarity::stationary);
    }
  }
}

TEST_CASE("backlog trend: a backlog that a fault makes and that drains does not grow throughout") {
  std::vector<double> backlog(120, 5.0);
  for (std::size_t i = 30; i < 60; ++i) backlog[i] = 5.0 + 100.0 * static_cast<double>(i - 30);
  for (std::size_t i = 60; i < 90; ++i) backlog[i] = 3005.0 - 100.0 * static_cast<double>(i - 60);
  CHECK(with_constant_arrivals(backlog).trend().verdict == Stationarity::stationary);
}

// Each unit stays for 0.8 s while the arrivals grow throughout: the backlog grows with them.
TEST_CASE("backlog trend: more arrivals that wait no longer are no overload") {
  const auto watched = [](double wait_at_start, double wait_at_end) {
    Watched all;
    double arrived = 0;
    for (int i = 0; i < 40; ++i) {
      const double rate = 100.0 * (i + 1);
      const double wait = wait_at_start + (wait_at_end - wait_at_start) * i / 39;
      all.backlog.push_back(rate * wait);
      all.arrived.push_back(arrived += rate);
    }
    return all.trend();
  };
  CHECK(watched(0.8, 0.8).growth_per_second > 50);
  CHECK(watched(0.8, 0.8).verdict == Stationarity::stationary);
  CHECK(watched(0.8, 4.0).verdict == Stationarity::growing);
}

TEST_CASE("backlog trend: a backlog that grows while nothing arrives is no trend of waiting") {
  Watched watched{std::vector<double>(16), std::vector<double>(16, 50.0)};
  for (std::size_t i = 0; i < 16; ++i) watched.backlog[i] = static_cast<double>(10 * i);
  CHECK(watched.trend().verdict == Stationarity::stationary);
}

TEST_CASE("backlog trend: one that is long at the end alone ends behind") {
  std::vector<double> backlog(80, 5.0);
  for (std::size_t i = 60; i < 80; ++i) backlog[i] = 5.0 + 50.0 * static_cast<double>(i - 60);
  CHECK(with_constant_arrivals(backlog).trend().verdict == Stationarity::behind);
  // One that was long in the second quarter, and drained.
  for (std::size_t i = 20; i < 40; ++i) backlog[i] = 500;
  for (std::size_t i = 60; i < 80; ++i) backlog[i] = 5;
  CHECK(with_constant_arrivals(backlog).trend().verdict == Stationarity::stationary);
}

TEST_CASE("use over time: the last quarter is that of the sums, within a bin") {
  for (const std::size_t intervals : {12U, 63U, 64U, 65U, 130U, 1000U, 5000U}) {
    CAPTURE(intervals);
    UseOverTime use;
    for (std::size_t i = 0; i < intervals; ++i) {
      // Idle intervals are not added.
      if (i % 3 != 0) use.add(i, static_cast<double>(i), 1);
    }
    const std::size_t length = use.last_quarter_length(intervals);
    CHECK(length <= intervals / 4);
    CHECK(length + intervals / 32 + 1 >= intervals / 4);
    double used = 0, full = 0;
    for (std::size_t i = intervals - length; i < intervals; ++i) {
      used += i % 3 != 0 ? static_cast<double>(i) : 0;
      full += i % 3 != 0 ? 1 : 0;
    }
    CHECK(use.last_quarter(intervals).used == used);
    CHECK(use.last_quarter(intervals).full == full);
  }
}

TEST_CASE("backlog trend: too few samples give no verdict") {
  const std::vector<double> few(kLeastBacklogSamples - 1, 1.0);
  CHECK(with_constant_arrivals(few).trend().verdict == Stationarity::unknown);
  CHECK(Watched{}.trend().verdict == Stationarity::unknown);
}

}  // namespace photon::analysis::testing
