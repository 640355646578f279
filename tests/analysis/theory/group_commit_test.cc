#include "analysis/theory/group_commit.h"

#include <cmath>
#include <limits>

#include "analysis/theory/queues.h"
#include "analysis/theory/waiting_times.h"
#include "tests/analysis/theory/simulated_queue.h"
#include "tests/support/catch.h"

namespace photon::analysis::theory {
namespace {

CommitLoad commit_load(double arrivals_per_commit, double commit_seconds) {
  return {.arrivals_per_second = arrivals_per_commit / commit_seconds,
          .commit_seconds = commit_seconds};
}

struct SimulatedCommits {
  std::vector<double> delays{};
  double transactions = 0;
  double seconds = 0;
};

// Batches of at most `batch_max`, taken from a list of arrivals.
SimulatedCommits simulate_commits(const CommitLoad& load, std::size_t batch_max) {
  Exponentials gaps(7, 0);
  std::vector<double> arrivals;
  double at = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    at += gaps.next() / load.arrivals_per_second;
    arrivals.push_back(at);
  }
  SimulatedCommits run;
  double now = 0;
  for (std::size_t next = 0; next < arrivals.size();) {
    now = std::max(now, arrivals[next]);
    const double end = now + load.commit_seconds;
    std::size_t taken = 0;
    for (; taken < batch_max && next < arrivals.size() && arrivals[next] <= now; ++taken) {
      run.delays.push_back(end - arrivals[next++]);
    }
    run.transactions += 1;
    now = end;
  }
  run.seconds = now;
  return run;
}

void check_agrees(const CommitMeans& means, const SimulatedCommits& run) {
  const auto operations = static_cast<double>(run.delays.size());
  CHECK(run.transactions / run.seconds == Approx(means.transactions_per_second).epsilon(0.01));
  CHECK(operations / run.transactions == Approx(means.batch_mean).epsilon(0.01));
  CHECK(mean_of(run.delays) == Approx(means.delay_seconds).epsilon(0.02));
}

}  // namespace

TEST_CASE(
    "G-10 a loaded shard commits 1 / L transactions a second, with lambda L operations each") {
  for (const double arrivals_per_second : {100.0, 300.0, 1000.0}) {
    CAPTURE(arrivals_per_second);
    const auto means = group_commit_means(
        CommitLoad{.arrivals_per_second = arrivals_per_second, .commit_seconds = 0.1});
    REQUIRE(means);
    CHECK(means->transactions_per_second == Approx(10).epsilon(0.001));
    CHECK(means->batch_mean == Approx(arrivals_per_second / 10).epsilon(0.001));
    CHECK(means->busy_fraction == Approx(1).epsilon(0.001));
  }
}

TEST_CASE("G-11 without batching a shard saturates at 1 / L") {
  CHECK(*group_commit_saturation_per_second(0.1, 1) == Approx(10));
  CHECK(group_commit_means(CommitLoad{9.9, 0.1}, 1));
  CHECK_FALSE(group_commit_means(CommitLoad{10, 0.1}, 1));
  CHECK(*group_commit_saturation_per_second(0.1, 4096) == Approx(40'960));
  CHECK_FALSE(group_commit_means(CommitLoad{40'961, 0.1}, 4096));
}

TEST_CASE("G-12 an insert takes L without load, and at most 1.5 L under any load") {
  CHECK(group_commit_means(CommitLoad{0, 0.1})->delay_seconds == Approx(0.1));
  double before = 0;
  for (const double arrivals : {1e-6, 0.01, 0.1, 1.0, 3.0, 10.0, 1000.0, 1e9}) {
    CAPTURE(arrivals);
    const auto means = group_commit_means(commit_load(arrivals, 0.1));
    REQUIRE(means);
    CHECK(means->delay_seconds >= before);
    CHECK(means->delay_seconds <= 0.15 + 1e-15);
    CHECK(*group_commit_delay_quantile_seconds(commit_load(arrivals, 0.1), 0.9999) <= 0.2);
    before = means->delay_seconds;
  }
  CHECK(before == Approx(0.15));
}

TEST_CASE("Group commit with batches of one is M/D/1") {
  for (const double utilisation : {0.05, 0.5, 0.9, 0.999}) {
    CAPTURE(utilisation);
    const CommitLoad load = commit_load(utilisation, 0.08);
    const auto means = group_commit_means(load, 1);
    const auto queue = md1_means({load.arrivals_per_second, load.commit_seconds});
    REQUIRE(means);
    REQUIRE(queue);
    CHECK(means->delay_seconds == Approx(queue->sojourn_seconds).epsilon(1e-9));
    CHECK(means->batch_mean == Approx(1));
    CHECK(means->busy_fraction == Approx(utilisation));
    CHECK(means->transactions_per_second == Approx(load.arrivals_per_second));
  }
}

TEST_CASE("A limit far above the batches changes nothing") {
  for (const double arrivals : {0.01, 1.0, 20.0, 300.0}) {
    CAPTURE(arrivals);
    const auto limited = group_commit_means(commit_load(arrivals, 0.1), 4096);
    const auto unlimited = group_commit_means(commit_load(arrivals, 0.1));
    REQUIRE(limited);
    REQUIRE(unlimited);
    CHECK(limited->delay_seconds == Approx(unlimited->delay_seconds).epsilon(1e-8));
    CHECK(limited->batch_mean == Approx(unlimited->batch_mean).epsilon(1e-9));
    CHECK(limited->transactions_per_second ==
          Approx(unlimited->transactions_per_second).epsilon(1e-9));
  }
}

TEST_CASE("Group commit agrees with a simulation of its batches") {
  for (const double arrivals : {0.2, 1.0, 5.0}) {
    CAPTURE(arrivals);
    const CommitLoad load = commit_load(arrivals, 0.1);
    const SimulatedCommits run = simulate_commits(load, 1'000'000);
    check_agrees(*group_commit_means(load), run);
    for (const double fraction : {0.1, 0.5, 0.9, 0.99}) {
      CAPTURE(fraction);
      CHECK(quantile_in(run.delays, fraction) ==
            Approx(*group_commit_delay_quantile_seconds(load, fraction)).epsilon(0.005));
    }
  }
}

TEST_CASE("Group commit with a batch limit agrees with a simulation of its batches") {
  struct Row {
    double arrivals;
    std::uint32_t batch_max;
  };
  for (const Row row : {Row{0.7, 1}, Row{1.5, 2}, Row{2.0, 8}, Row{7.2, 8}, Row{60, 64}}) {
    CAPTURE(row.arrivals, row.batch_max);
    const CommitLoad load = commit_load(row.arrivals, 0.1);
    const SimulatedCommits run = simulate_commits(load, row.batch_max);
    check_agrees(*group_commit_means(load, row.batch_max), run);
    for (const double fraction : {0.1, 0.5, 0.9, 0.99}) {
      CAPTURE(fraction);
      CHECK(quantile_in(run.delays, fraction) ==
            Approx(*group_commit_delay_quantile_seconds(load, row.batch_max, fraction))
                .epsilon(fraction > 0.9 ? 0.05 : 0.02));
    }
  }
}

TEST_CASE("The quantiles of group commit with a limit are those of M/D/1, and of no limit") {
  for (const double fraction : {0.1, 0.5, 0.9, 0.999}) {
    CAPTURE(fraction);
    const CommitLoad single = commit_load(0.8, 0.1);
    CHECK(*group_commit_delay_quantile_seconds(single, 1, fraction) ==
          Approx(*md1_sojourn_quantile_seconds({single.arrivals_per_second, 0.1}, fraction))
              .epsilon(1e-8));
    const CommitLoad wide = commit_load(30, 0.1);
    CHECK(*group_commit_delay_quantile_seconds(wide, 4096, fraction) ==
          Approx(*group_commit_delay_quantile_seconds(wide, fraction)).epsilon(1e-8));
  }
}

TEST_CASE("The mean of the delay's quantiles with a limit is the mean delay") {
  const CommitLoad load = commit_load(7, 0.1);
  double sum = 0;
  constexpr int kSteps = 2000;
  for (int step = 0; step < kSteps; ++step) {
    sum += *group_commit_delay_quantile_seconds(load, 8, (step + 0.5) / kSteps);
  }
  CHECK(sum / kSteps == Approx(group_commit_means(load, 8)->delay_seconds).epsilon(1e-3));
}

TEST_CASE("The mean of the delay's quantiles is the mean delay") {
  for (const double arrivals : {0.1, 1.0, 30.0}) {
    CAPTURE(arrivals);
    const CommitLoad load = commit_load(arrivals, 0.1);
    double sum = 0;
    constexpr int kSteps = 10'000;
    for (int step = 0; step < kSteps; ++step) {
      sum += *group_commit_delay_quantile_seconds(load, (step + 0.5) / kSteps);
    }
    CHECK(sum / kSteps == Approx(group_commit_means(load)->delay_seconds).epsilon(1e-4));
  }
}

TEST_CASE("Group commit has no figures for impossible arguments") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const CommitLoad load : {CommitLoad{nan, 1}, CommitLoad{1, nan}, CommitLoad{-1, 1},
                                CommitLoad{1, 0}, CommitLoad{1e300, 1e300}}) {
    CHECK_FALSE(group_commit_means(load));
    CHECK_FALSE(group_commit_means(load, 4));
    CHECK_FALSE(group_commit_delay_quantile_seconds(load, 0.5));
    CHECK_FALSE(group_commit_delay_quantile_seconds(load, 4, 0.5));
  }
  CHECK_FALSE(group_commit_means(CommitLoad{1, 0.1}, 0));
  CHECK_FALSE(group_commit_delay_quantile_seconds(CommitLoad{1, 0.1}, 1));
  CHECK_FALSE(group_commit_delay_quantile_seconds(CommitLoad{1, 0.1}, nan));
  CHECK_FALSE(group_commit_delay_quantile_seconds(CommitLoad{1, 0.1}, 4, nan));
  CHECK_FALSE(group_commit_delay_quantile_seconds(CommitLoad{50, 0.1}, 5, 0.5));
  CHECK(*group_commit_delay_quantile_seconds(CommitLoad{0, 0.1}, 5, 0.99) == Approx(0.1));
  CHECK_FALSE(group_commit_saturation_per_second(0, 4));
  CHECK_FALSE(group_commit_saturation_per_second(nan, 4));
  CHECK_FALSE(group_commit_saturation_per_second(1, 0));
}

}  // namespace photon::analysis::theory
