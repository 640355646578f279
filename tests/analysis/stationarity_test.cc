#include "analysis/capacity/stationarity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

// A single server at this share of its capacity, 100 arrivals a second, sampled once a second.
std::vector<double> queue_of(double utilisation, std::size_t seconds, std::uint64_t seed) {
  const RandomStream stream(seed, Purpose::test, 0);
  std::uint64_t draws = 0;
  const auto exponential = [&](double rate) {
    const double uniform =
        (static_cast<double>(stream.word(draws++) >> 11U) + 0.5) / 9007199254740992.0;
    return -std::log(uniform) / rate;
  };
  std::vector<double> samples;
  std::vector<double> departures;
  double now = 0, free = 0;
  std::size_t left = 0;
  while (samples.size() < seconds) {
    now += exponential(100);
    while (static_cast<double>(samples.size() + 1) <= now && samples.size() < seconds) {
      const double at = static_cast<double>(samples.size() + 1);
      while (left < departures.size() && departures[left] <= at) ++left;
      samples.push_back(static_cast<double>(departures.size() - left));
    }
    free = std::max(free, now) + exponential(100 / utilisation);
    departures.push_back(free);
  }
  return samples;
}

}  // namespace

TEST_CASE("backlog trend: a queue above its capacity grows, at the rate of the excess") {
  for (const double utilisation : {1.05, 1.2, 2.0}) {
    const auto trend = backlog_trend(queue_of(utilisation, 300, 7), 1.0, 100.0);
    CHECK(trend.verdict == Stationarity::growing);
    CHECK(trend.growth_per_second == Approx(100 - 100 / utilisation).margin(3));
  }
}

TEST_CASE("backlog trend: no queue below its capacity is accused, also near it") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (const double utilisation : {0.5, 0.9, 0.97}) {
      CAPTURE(seed, utilisation);
      CHECK(backlog_trend(queue_of(utilisation, 300, seed), 1.0, 100.0).verdict ==
            Stationarity::stationary);
    }
  }
}

TEST_CASE("backlog trend: a backlog that a fault makes and that drains does not grow throughout") {
  std::vector<double> backlog(120, 5.0);
  for (std::size_t i = 30; i < 60; ++i) backlog[i] = 5.0 + 100.0 * static_cast<double>(i - 30);
  for (std::size_t i = 60; i < 90; ++i) backlog[i] = 3005.0 - 100.0 * static_cast<double>(i - 60);
  CHECK(backlog_trend(backlog, 1.0, 100.0).verdict == Stationarity::stationary);
}

TEST_CASE("backlog trend: too few samples give no verdict") {
  CHECK(backlog_trend(std::vector<double>(kLeastBacklogSamples - 1, 1.0), 1.0, 100.0).verdict ==
        Stationarity::unknown);
  CHECK(backlog_trend({}, 1.0, 100.0).verdict == Stationarity::unknown);
}

}  // namespace photon::analysis::testing
