#include "analysis/theory/quorum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/analysis/theory/simulated_queue.h"
#include "tests/support/catch.h"

namespace photon::analysis::theory {
namespace {

// Draws commits one by one: the jitter of each follower, then the sorted round trips.
std::vector<double> simulate_quorums(const QuorumCommit& commit) {
  Exponentials exponentials(8, 0);
  const RandomStream normals(8, Purpose::test, 1);
  std::uint64_t drawn = 0;
  const auto jitter = [&]() -> double {
    const double mean = commit.jitter.mean_ms;
    const double sigma = commit.jitter.sigma;
    switch (commit.jitter.kind) {
      case JitterKind::none:
        return 0;
      case JitterKind::exponential:
        return mean * exponentials.next();
      case JitterKind::exponential_each_way:
        return mean / 2 * (exponentials.next() + exponentials.next());
      case JitterKind::lognormal:
        break;
    }
    const double normal = normal_quantile(unit_interval(normals.word(drawn++)));
    return mean * std::exp(sigma * normal - sigma * sigma / 2);
  };
  std::vector<double> commits;
  for (int i = 0; i < 200'000; ++i) {
    std::vector<double> trips = commit.round_trips_ms;
    for (double& trip : trips) trip += jitter();
    std::ranges::sort(trips);
    commits.push_back(trips[commit.acknowledgements - 1]);
  }
  return commits;
}

}  // namespace

TEST_CASE("G-03 without jitter a commit takes the second smallest round trip of five replicas") {
  // Two regions of two replicas and one of one; round trips between regions of 100, 60 and 50 ms.
  const auto commit = [](std::vector<double> trips) {
    return quorum_latency_mean_ms(
        {.round_trips_ms = std::move(trips), .acknowledgements = acknowledgements_needed(5)});
  };
  CHECK(*commit({1, 100, 100, 60}) == 60);  // a leader in the first region of two
  CHECK(*commit({100, 100, 1, 50}) == 50);  // in the second
  CHECK(*commit({60, 60, 50, 50}) == 50);   // in the region of one
  CHECK(*commit({1, 100, 100, 100}) == 100);
  CHECK(*commit({60, 50}) == 60);  // two replicas are down
  CHECK_FALSE(commit({60}));       // three are: no quorum
}

TEST_CASE("Equal exponential round trips have the mean of Renyi's formula") {
  // The f-th smallest of n exponentials has the mean m (1 / n + ... + 1 / (n - f + 1)).
  const QuorumCommit commit{.round_trips_ms = {40, 40, 40, 40},
                            .acknowledgements = 2,
                            .jitter = {.kind = JitterKind::exponential, .mean_ms = 6}};
  CHECK(*quorum_latency_mean_ms(commit) == Approx(40 + 6 * (1.0 / 4 + 1.0 / 3)).epsilon(1e-9));
  QuorumCommit first = commit;
  first.acknowledgements = 1;  // the least of four: exponential with a quarter of the mean
  CHECK(*quorum_latency_quantile_ms(first, 0.99) == Approx(40 + 1.5 * std::log(100)).epsilon(1e-9));
  QuorumCommit all = commit;
  all.acknowledgements = 4;
  const double each = std::pow(0.99, 0.25);
  CHECK(*quorum_latency_quantile_ms(all, 0.99) ==
        Approx(40 - 6 * std::log(1 - each)).epsilon(1e-9));
}

TEST_CASE("A single follower has the mean and the quantiles of its own round trip") {
  for (const JitterKind kind :
       {JitterKind::exponential, JitterKind::exponential_each_way, JitterKind::lognormal}) {
    CAPTURE(static_cast<int>(kind));
    const QuorumCommit commit{.round_trips_ms = {20},
                              .acknowledgements = 1,
                              .jitter = {.kind = kind, .mean_ms = 3, .sigma = 1.2}};
    CHECK(*quorum_latency_mean_ms(commit) == Approx(23).epsilon(1e-7));
  }
  const QuorumCommit lognormal{.round_trips_ms = {20},
                               .acknowledgements = 1,
                               .jitter = {.kind = JitterKind::lognormal, .mean_ms = 3, .sigma = 1}};
  CHECK(*quorum_latency_quantile_ms(lognormal, 0.5) == Approx(20 + 3 * std::exp(-0.5)));
}

TEST_CASE("Quorum latencies agree with drawn ones, for round trips near and far apart") {
  for (const JitterKind kind :
       {JitterKind::exponential, JitterKind::exponential_each_way, JitterKind::lognormal}) {
    for (const double spread : {0.0, 1.0, 20.0}) {
      CAPTURE(static_cast<int>(kind), spread);
      const QuorumCommit commit{
          .round_trips_ms = {30 + 2 * spread, 30, 30 + 3 * spread, 30 + spread},
          .acknowledgements = 2,
          .jitter = {.kind = kind, .mean_ms = 5, .sigma = 0.8}};
      const std::vector<double> drawn = simulate_quorums(commit);
      CHECK(mean_of(drawn) == Approx(*quorum_latency_mean_ms(commit)).epsilon(0.001));
      for (const double fraction : {0.1, 0.5, 0.9, 0.99}) {
        CAPTURE(fraction);
        CHECK(quantile_in(drawn, fraction) ==
              Approx(*quorum_latency_quantile_ms(commit, fraction)).epsilon(0.005));
      }
    }
  }
}

TEST_CASE("Little jitter on round trips far apart adds little") {
  const QuorumCommit commit{.round_trips_ms = {0.5, 50, 60, 100},
                            .acknowledgements = 2,
                            .jitter = {.kind = JitterKind::exponential_each_way, .mean_ms = 0.4}};
  CHECK(*quorum_latency_mean_ms(commit) == Approx(50.4).epsilon(1e-9));
}

TEST_CASE("No quorum latency exists for impossible arguments") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto is_refused = [](const QuorumCommit& commit) {
    return !quorum_latency_mean_ms(commit) && !quorum_latency_quantile_ms(commit, 0.5);
  };
  CHECK(is_refused({.round_trips_ms = {1}, .acknowledgements = 2}));
  CHECK(is_refused({.round_trips_ms = {1, nan}, .acknowledgements = 1}));
  CHECK(is_refused({.round_trips_ms = {1, -1}, .acknowledgements = 1}));
  CHECK(is_refused({.round_trips_ms = {1},
                    .acknowledgements = 1,
                    .jitter = {.kind = JitterKind::exponential, .mean_ms = nan}}));
  CHECK(is_refused({.round_trips_ms = {1},
                    .acknowledgements = 1,
                    .jitter = {.kind = JitterKind::lognormal, .mean_ms = 1, .sigma = 0}}));
  const QuorumCommit alone{.jitter = {.kind = JitterKind::exponential, .mean_ms = 1}};
  CHECK(*quorum_latency_mean_ms(alone) == 0);
  CHECK(*quorum_latency_quantile_ms(alone, 0.9) == 0);
  CHECK_FALSE(quorum_latency_quantile_ms(alone, 1));
}

}  // namespace photon::analysis::theory
