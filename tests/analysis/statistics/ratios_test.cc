#include "analysis/statistics/ratios.h"

#include <vector>

#include <rapidcheck.h>

#include "analysis/statistics/student.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

using Clusters = std::vector<Cluster>;

Clusters drawn_clusters() {
  Clusters clusters;
  const int k = *rc::gen::inRange(1, 20);
  for (int i = 0; i < k; ++i) {
    const auto trials = *rc::gen::inRange<std::uint64_t>(0, 100);
    clusters.push_back({*rc::gen::inRange<std::uint64_t>(0, trials + 1), trials});
  }
  return clusters;
}

}  // namespace

TEST_CASE("ratios: five clusters worked by hand") {
  const Clusters clusters = {{1, 10}, {2, 10}, {3, 10}, {4, 10}, {5, 10}};
  const Estimate rate = clustered_rate(clusters);
  CHECK(rate.value == Approx(0.3));
  CHECK(rate.n == 5);
  // v = 5/4 * (4 + 1 + 0 + 1 + 4) / 50^2 = 0.005; half = 2.776 * 0.0707 / 0.21 on log odds.
  REQUIRE(rate.interval);
  CHECK(rate.interval->low == Approx(0.1440).margin(0.0005));
  CHECK(rate.interval->high == Approx(0.5219).margin(0.0005));
}

TEST_CASE("ratios: of clusters of equal size the variance is that of their mean") {
  const Clusters clusters = {{0, 100}, {7, 100}, {1, 100}, {12, 100}, {3, 100}, {4, 100}};
  const Estimate rate = clustered_rate(clusters);
  std::vector<double> rates;
  for (const Cluster& cluster : clusters)
    rates.push_back(static_cast<double>(cluster.events) / 100);
  const Estimate mean = mean_of_replications(rates);
  CHECK(rate.value == Approx(mean.value));
  REQUIRE(rate.interval);
  const double half = (log_odds(rate.interval->high) - log_odds(rate.interval->low)) / 2;
  CHECK(half * rate.value * (1 - rate.value) == Approx(mean.interval->half_width()));
}

TEST_CASE("ratios: no event is bounded by the rule of three over clusters") {
  CHECK(rule_of_three(1) == Approx(0.95));
  // Hanley and Lippman-Hand 1983: about 3 / n.
  CHECK(rule_of_three(30) == Approx(0.095).margin(0.0005));
  CHECK(rule_of_three(1'000) == Approx(0.003).margin(0.00001));
  // A million clicks in ten runs: the runs count.
  const Estimate none = clustered_rate(Clusters(10, Cluster{0, 100'000}));
  CHECK(none.value == 0);
  CHECK(none.n == 10);
  CHECK(*none.interval == Interval{0, rule_of_three(10)});
}

TEST_CASE("ratios: the event in fewer than five clusters has no interval, and says so") {
  Clusters clusters(100, Cluster{0, 1'000});
  for (std::size_t i = 0; i < 4; ++i) clusters[i].events = 50;
  const Estimate rate = clustered_rate(clusters);
  CHECK(rate.value == Approx(200.0 / 100'000));
  CHECK(rate.shortage == Shortage::clusters);
  clusters[4].events = 50;
  CHECK(clustered_rate(clusters).interval);
  CHECK(clustered_rate(Clusters{{1, 2}}).shortage == Shortage::replications);
  CHECK(clustered_rate(Clusters{}).shortage == Shortage::replications);
}

TEST_CASE("ratios: clusters without trials change nothing") {
  Clusters clusters = {{1, 10}, {2, 10}, {3, 10}, {4, 10}, {5, 10}};
  const Estimate before = clustered_rate(clusters);
  clusters.insert(clusters.begin() + 2, Cluster{0, 0});
  const Estimate after = clustered_rate(clusters);
  CHECK(after.n == before.n);
  CHECK(after.interval == before.interval);
}

TEST_CASE("ratios: the interval lies in [0, 1], holds the rate, and mirrors its absence") {
  CHECK(rc::check("mirror", [] {
    const Clusters clusters = drawn_clusters();
    Clusters mirrored = clusters;
    for (Cluster& cluster : mirrored) cluster.events = cluster.trials - cluster.events;
    const Estimate rate = clustered_rate(clusters);
    const Estimate absence = clustered_rate(mirrored);
    RC_ASSERT(rate.shortage == absence.shortage);
    RC_ASSERT(rate.interval.has_value() == (rate.shortage == Shortage::none));
    if (!rate.interval) return;
    RC_ASSERT(rate.interval->low >= 0);
    RC_ASSERT(rate.interval->high <= 1);
    RC_ASSERT(rate.interval->low <= rate.value + 1e-12);
    RC_ASSERT(rate.interval->high >= rate.value - 1e-12);
    RC_ASSERT(rate.interval->low == Approx(1 - absence.interval->high).margin(1e-12));
    RC_ASSERT(rate.interval->high == Approx(1 - absence.interval->low).margin(1e-12));
  }));
}

}  // namespace photon::analysis
