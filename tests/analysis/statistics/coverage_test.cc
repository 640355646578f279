// Nominal 95 % intervals of means, differences and quantiles against known truth. Seeds are fixed
// and streams counter-based, so that every share is the same on every run; -s shows them.
#include "tests/analysis/statistics/coverage.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "analysis/statistics/paired.h"
#include "analysis/statistics/quantile_replications.h"
#include "analysis/statistics/quantiles.h"
#include "analysis/statistics/sequential.h"
#include "analysis/statistics/student.h"
#include "tests/analysis/statistics/draws.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

constexpr double kArrivalRate = 0.6;
constexpr int kWarmUp = 100;  // customers; the queue forgets its start within some tens

std::uint64_t seed_of(int repetition, int replication) {
  return static_cast<std::uint64_t>(repetition) * 1'000 + static_cast<std::uint64_t>(replication);
}

double exponential_quantile(double fraction, double mean) { return -mean * std::log1p(-fraction); }

// A unit of time is a second.
Duration as_duration(double seconds) { return Duration(static_cast<std::int64_t>(seconds * 1e9)); }

LatencyHistogram sojourn_times(std::uint64_t seed, int customers, double load = kArrivalRate,
                               int warm_up = kWarmUp) {
  Queue queue(seed, load, 1);
  queue.delete_warm_up(warm_up);
  LatencyHistogram times;
  for (int i = 0; i < customers; ++i) times.add(as_duration(queue.next().sojourn));
  return times;
}

double sojourn_quantile(double fraction, double load = kArrivalRate) {
  return 1e9 * exponential_quantile(fraction, 1 / (1 - load));
}

}  // namespace

TEST_CASE("coverage: the mean waiting time of M/M/1 by replication/deletion") {
  constexpr int kRepetitions = 1'000;
  const double truth = mean_wait_of(kArrivalRate, 1);
  Coverage coverage;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    Moments means;
    for (int replication = 0; replication < 20; ++replication) {
      Queue queue(seed_of(repetition, replication), kArrivalRate, 1);
      queue.delete_warm_up(kWarmUp);
      means.add(queue.mean_wait(1'000));
    }
    coverage.note(mean_of_replications(means), truth);
  }
  CHECK_COVERAGE(coverage);
}

TEST_CASE("coverage: the difference of two M/M/1 under common random numbers") {
  constexpr int kRepetitions = 600;
  constexpr double kFaster = 1 / 0.9;
  const double truth = mean_wait_of(kArrivalRate, 1) - mean_wait_of(kArrivalRate, kFaster);
  Coverage coverage;
  int five_times_smaller = 0;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    std::vector<double> slow;
    std::vector<double> fast;
    for (int replication = 0; replication < 20; ++replication) {
      for (const double rate : {1.0, kFaster}) {
        Queue queue(seed_of(repetition, replication), kArrivalRate, rate);
        queue.delete_warm_up(kWarmUp);
        (rate == 1 ? slow : fast).push_back(queue.mean_wait(1'000));
      }
    }
    const PairedDifference result = compare_paired(slow, fast);
    coverage.note(result.difference, truth);
    five_times_smaller += *result.variance_ratio >= 5 ? 1 : 0;
  }
  CHECK_COVERAGE(coverage);
  CHECK(five_times_smaller > kRepetitions * 9 / 10);
}

TEST_CASE("coverage: p90 and p99 of independent observations by order statistics") {
  // 20 beyond p99: with fewer, whole ranks alone make it cover more.
  constexpr int kSample = 2'000;
  constexpr int kRepetitions = 1'000;
  for (const double fraction : {0.9, 0.99}) {
    const double truth = 1e9 * exponential_quantile(fraction, 1);
    Coverage sorted;
    Coverage counted;
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
      Draws draws(seed_of(repetition, 0), 3);
      std::vector<double> sample;
      LatencyHistogram histogram;
      for (int i = 0; i < kSample; ++i) {
        const Duration time = as_duration(draws.exponential(1));
        sample.push_back(static_cast<double>(time.count()));
        histogram.add(time);
      }
      std::ranges::sort(sample);
      sorted.note(quantile_of_sorted(sample, fraction), truth);
      counted.note(quantile_of_histogram(histogram, fraction), truth);
    }
    CAPTURE(fraction);
    CHECK_COVERAGE(sorted);
    CHECK_COVERAGE(counted);
  }
}

TEST_CASE("coverage: p90 and p99 of the time in M/M/1 by replications") {
  constexpr int kRepetitions = 600;
  constexpr int kCustomers = 5'000;
  Coverage sections_p90;
  Coverage sections_p99;
  Coverage inversion_p90;
  Coverage inversion_p99;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    std::vector<LatencyHistogram> replications;
    for (int replication = 0; replication < 20; ++replication) {
      replications.push_back(sojourn_times(seed_of(repetition, replication), kCustomers));
    }
    sections_p90.note(quantile_by_sections(replications, 0.9), sojourn_quantile(0.9));
    sections_p99.note(quantile_by_sections(replications, 0.99), sojourn_quantile(0.99));
    inversion_p90.note(quantile_by_inversion(replications, 0.9), sojourn_quantile(0.9));
    inversion_p99.note(quantile_by_inversion(replications, 0.99), sojourn_quantile(0.99));
  }
  CHECK_COVERAGE(sections_p90);
  CHECK_COVERAGE(sections_p99);
  CHECK_COVERAGE(inversion_p90);
  CHECK_COVERAGE(inversion_p99);
}

// The table of quantile_replications.h.
TEST_CASE("coverage: p99 at high load, and what says that the sample is worth too little") {
  struct Row {
    double load;
    int warm_up;
    int replications;
    int customers;
    double covers_min;
    double warned_min;  // share of intervals that are called too narrow
    double warned_max;
  };
  constexpr int kRepetitions = 500;
  for (const Row& row : {Row{0.6, 100, 20, 5'000, 0.92, 0, 0.02},
                         {0.8, 800, 10, 20'000, 0.92, 0, 0.2},
                         {0.8, 800, 20, 5'000, 0.88, 0, 0.5},
                         {0.8, 800, 5, 5'000, 0.9, 0.7, 1},
                         {0.9, 3'000, 10, 5'000, 0.8, 0.95, 1}}) {
    Coverage coverage;
    int warned = 0;
    double worth = 0;
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
      std::vector<LatencyHistogram> replications;
      for (int i = 0; i < row.replications; ++i) {
        replications.push_back(
            sojourn_times(seed_of(repetition, i), row.customers, row.load, row.warm_up));
      }
      const Estimate estimate = quantile_by_replications(replications, 0.99);
      coverage.note(estimate, sojourn_quantile(0.99, row.load));
      warned += *estimate.beyond < kBeyondQuantileMin ? 1 : 0;
      worth += *estimate.beyond / kRepetitions;
    }
    const double share = static_cast<double>(warned) / kRepetitions;
    CAPTURE(row.load, row.replications, row.customers, worth);
    CHECK(coverage.share() >= row.covers_min);
    CHECK(coverage.share() <= 0.98);
    CHECK(share >= row.warned_min);
    CHECK(share <= row.warned_max);
  }
}

TEST_CASE("coverage: the difference of two p90 and of two p99 with common random numbers") {
  struct Row {
    double fraction;
    int replications;
    int customers;
    double covers_min;
  };
  constexpr int kRepetitions = 500;
  constexpr double kLow = 0.6, kHigh = 0.7;
  for (const Row& row :
       {Row{0.9, 10, 5'000, 0.92}, {0.99, 10, 5'000, 0.92}, {0.99, 10, 1'000, 0.86}}) {
    Coverage coverage;
    int warned = 0;
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
      std::vector<LatencyHistogram> low, high;
      for (int i = 0; i < row.replications; ++i) {
        low.push_back(sojourn_times(seed_of(repetition, i), row.customers, kLow, 500));
        high.push_back(sojourn_times(seed_of(repetition, i), row.customers, kHigh, 500));
      }
      const PairedDifference paired = compare_quantiles(high, low, row.fraction);
      coverage.note(paired.difference,
                    sojourn_quantile(row.fraction, kHigh) - sojourn_quantile(row.fraction, kLow));
      warned += *paired.difference.beyond < kBeyondQuantileMin ? 1 : 0;
    }
    CAPTURE(row.fraction, row.customers, warned);
    CHECK(coverage.given == kRepetitions);
    CHECK(coverage.share() >= row.covers_min);
    CHECK(coverage.share() <= 0.985);
    CHECK((warned > kRepetitions * 7 / 10) == (row.covers_min < 0.9));
  }
}

TEST_CASE("coverage: p99 of replications that are too small one by one, by inversion") {
  constexpr int kRepetitions = 600;
  Coverage coverage;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    std::vector<LatencyHistogram> replications;
    for (int replication = 0; replication < 80; ++replication) {
      replications.push_back(sojourn_times(seed_of(repetition, replication), 500));
    }
    coverage.note(quantile_by_replications(replications, 0.99), sojourn_quantile(0.99));
  }
  CHECK_COVERAGE(coverage);
}

TEST_CASE("coverage: order statistics of one run miss too often, because times are correlated") {
  constexpr int kRepetitions = 500;
  Coverage coverage;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const LatencyHistogram times = sojourn_times(seed_of(repetition, 0), 2'000);
    coverage.note(quantile_of_histogram(times, 0.9), sojourn_quantile(0.9));
  }
  CHECK(coverage.share() < 0.7);
}

TEST_CASE("coverage: stopping when an interval is narrow costs what sequential.h states") {
  // To half a standard deviation: about 17 replications.
  const auto coverage_from = [](std::uint64_t first_stage) {
    Coverage coverage;
    for (int repetition = 0; repetition < 1'000; ++repetition) {
      Draws draws(seed_of(repetition, 0), 4);
      Moments replications;
      while (replications.count() < first_stage) replications.add(draws.normal());
      const PrecisionTarget target{0.5, Scale::absolute};
      while (check_precision(mean_of_replications(replications), target, {first_stage, 1'000})
                 .verdict == PrecisionVerdict::more_needed) {
        replications.add(draws.normal());
      }
      coverage.note(mean_of_replications(replications), 0);
    }
    return coverage.share();
  };
  CHECK(coverage_from(10) >= 0.92);
  CHECK(coverage_from(2) < 0.92);
}

}  // namespace photon::analysis
