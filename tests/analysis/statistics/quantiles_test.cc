#include "analysis/statistics/quantiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <rapidcheck.h>

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// P(B = 0), P(B = 1), ... by the recurrence, a second computation of the binomial distribution.
std::vector<double> binomial_probabilities(std::uint64_t n, double p) {
  std::vector<double> probabilities;
  const auto trials = static_cast<double>(n);
  double log_term = trials * std::log1p(-p);
  for (std::uint64_t b = 0; b <= n; ++b) {
    probabilities.push_back(std::exp(log_term));
    const auto count = static_cast<double>(b);
    log_term += std::log((trials - count) / (count + 1)) + std::log(p) - std::log1p(-p);
  }
  return probabilities;
}

// P(from <= B <= to).
double mass(const std::vector<double>& probabilities, std::uint64_t from, std::uint64_t to) {
  double sum = 0;
  for (std::uint64_t b = from; b <= to && b < probabilities.size(); ++b) sum += probabilities[b];
  return sum;
}

bool has_ranks(std::uint64_t n, double fraction, std::uint64_t low, std::uint64_t high) {
  const auto ranks = quantile_ranks(n, fraction, 0.95);
  return ranks && ranks->low == low && ranks->high == high;
}

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace

TEST_CASE("quantiles: ranks around the median of small samples, as tabulated") {
  // David and Nagaraja 2003, section 7.1; with ten observations the coverage is 97.85 %.
  CHECK(has_ranks(6, 0.5, 1, 6));
  CHECK(has_ranks(9, 0.5, 2, 8));
  CHECK(has_ranks(10, 0.5, 2, 9));
  CHECK(has_ranks(20, 0.5, 6, 15));
  CHECK_FALSE(quantile_ranks(5, 0.5, 0.95));
}

TEST_CASE("quantiles: ranks cover, with equal tails, and none is tighter") {
  CHECK(rc::check("ranks", [] {
    const auto n = *rc::gen::inRange<std::uint64_t>(1, 400);
    const double fraction = *rc::gen::inRange(1, 100) / 100.0;
    const auto ranks = quantile_ranks(n, fraction, 0.95);
    const std::vector<double> p = binomial_probabilities(n, fraction);
    constexpr double kRounding = 1e-9;
    if (!ranks) {
      RC_ASSERT(mass(p, 0, 0) > 0.025 - kRounding || mass(p, n, n) > 0.025 - kRounding);
      return;
    }
    RC_ASSERT(mass(p, ranks->low, ranks->high - 1) >= 0.95 - kRounding);
    RC_ASSERT(mass(p, 0, ranks->low - 1) <= 0.025 + kRounding);
    RC_ASSERT(mass(p, 0, ranks->low) > 0.025 - kRounding);
    RC_ASSERT(mass(p, ranks->high, n) <= 0.025 + kRounding);
    RC_ASSERT(mass(p, ranks->high - 1, n) > 0.025 - kRounding);
  }));
}

TEST_CASE("quantiles: ten observations beyond are needed") {
  CHECK(sample_needed(0.5) == 20);
  CHECK(sample_needed(0.9) == 100);
  CHECK(sample_needed(0.99) == 1'000);
  CHECK(sample_needed(0.999) == 10'000);
  CHECK(sample_needed(0.9999) == 100'000);
  CHECK(sample_needed(0.01) == 1'000);
  CHECK(too_small(999, 0.99));
  CHECK_FALSE(too_small(1'000, 0.99));
}

TEST_CASE("quantiles: a sorted sample has the value at its rank and an interval around it") {
  const Estimate p90 = quantile_of_sorted(one_to(1'000), 0.9);
  CHECK(p90.value == 900);
  CHECK(p90.n == 1'000);
  REQUIRE(p90.interval);
  // 900 -+ 1.96 sqrt(1000 * 0.9 * 0.1) by the normal approximation.
  CHECK(p90.interval->low == Approx(900 - 18.6).margin(1.5));
  CHECK(p90.interval->high == Approx(900 + 18.6).margin(1.5));
}

TEST_CASE("quantiles: a sample that is too small has no interval, and says so") {
  const Estimate p99 = quantile_of_sorted(one_to(999), 0.99);
  CHECK(p99.value == 990);
  CHECK_FALSE(p99.interval);
  CHECK(p99.shortage == Shortage::observations);
  CHECK(quantile_of_sorted({}, 0.5).shortage == Shortage::observations);
  CHECK(quantile_of_histogram(LatencyHistogram(), 0.5).shortage == Shortage::observations);
}

TEST_CASE("quantiles: a histogram of small values gives the sample's interval") {
  std::vector<double> sorted;
  LatencyHistogram histogram;
  for (int i = 0; i < 600; ++i) {  // below 64 ns every value has a bucket of its own
    sorted.push_back(i / 10);
    histogram.add(Duration(i / 10));
  }
  for (const double fraction : {0.05, 0.5, 0.9}) {
    const Estimate exact = quantile_of_sorted(sorted, fraction);
    const Estimate shown = quantile_of_histogram(histogram, fraction);
    CHECK(shown.value == exact.value);
    REQUIRE(exact.interval);
    CHECK(shown.interval == exact.interval);
  }
}

TEST_CASE("histogram: ranks and counts agree with the sorted values") {
  CHECK(rc::check("ranks", [] {
    auto values = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(-63, 64)));
    LatencyHistogram histogram;
    for (const std::int64_t value : values) histogram.add(Duration(value));
    std::ranges::sort(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      RC_ASSERT(histogram.interpolated(i + 1) == static_cast<double>(values[i]));
    }
    for (const std::int64_t limit : {-64, -1, 0, 20, 63, 1'000'000}) {
      const auto below = std::ranges::count_if(values, [&](auto value) { return value <= limit; });
      RC_ASSERT(histogram.count_up_to(Duration(limit)) == static_cast<std::uint64_t>(below));
    }
  }));
}

TEST_CASE("histogram: interpolation inside a bucket, worked by hand") {
  // 4,096 .. 4,159 share a bucket: four values stand at 1/8, 3/8, 5/8 and 7/8 of its ends.
  LatencyHistogram histogram;
  for (const int value : {1, 4'096, 4'100, 4'101, 4'159, 9'000}) histogram.add(Duration(value));
  CHECK(histogram.interpolated(1) == 1);
  CHECK(histogram.interpolated(2) == Approx(4'096 + 63 / 8.0));
  CHECK(histogram.interpolated(5) == Approx(4'096 + 7 * 63 / 8.0));
  // Between the ends of its bucket and the largest value, 8,960 and 9,000.
  CHECK(histogram.interpolated(6) == Approx(8'980));
  LatencyHistogram negative;
  for (const int value : {-4'159, -4'096, -1}) negative.add(Duration(value));
  CHECK(negative.interpolated(1) == Approx(-4'159 + 63 / 4.0));
  CHECK(negative.interpolated(3) == -1);
}

TEST_CASE("histogram: interpolation ascends and stays within the error of a bucket") {
  CHECK(rc::check("interpolation", [] {
    auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
        rc::gen::inRange<std::int64_t>(-2'000'000, 2'000'000)));
    LatencyHistogram histogram;
    for (const std::int64_t value : values) histogram.add(Duration(value));
    std::ranges::sort(values);
    double last = static_cast<double>(values.front());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto exact = static_cast<double>(values[i]);
      const double shown = histogram.interpolated(i + 1);
      RC_ASSERT(shown >= last);
      RC_ASSERT(std::abs(shown - exact) <= 2 * LatencyHistogram::kRelativeError * std::abs(exact));
      last = shown;
    }
    RC_ASSERT(last <= static_cast<double>(values.back()));
  }));
}

}  // namespace photon::analysis
