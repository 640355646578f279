#include "analysis/statistics/quantile_replications.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/quantiles.h"
#include "analysis/statistics/ratios.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

using Replications = std::vector<LatencyHistogram>;

LatencyHistogram repeated(std::int64_t value, int count) {
  LatencyHistogram histogram;
  for (int i = 0; i < count; ++i) histogram.add(Duration(value));
  return histogram;
}

// 1, 2, ..., 40 ns, each this often.
LatencyHistogram ramp(int repetitions) {
  LatencyHistogram histogram;
  for (int value = 1; value <= 40; ++value) histogram.merge(repeated(value, repetitions));
  return histogram;
}

}  // namespace

TEST_CASE("quantiles of replications: sections spread around the merged quantile") {
  const Replications replications = {repeated(10, 20), repeated(20, 20), repeated(30, 20)};
  const Estimate median = quantile_by_sections(replications, 0.5);
  CHECK(median.value == 20);
  CHECK(median.n == 3);
  REQUIRE(median.interval);
  // On the scale of logarithms. Without one of them the median, rank 20 of 40, is 20, 10 and 10 ns:
  // the pseudo-values are 20, 80 and 80.
  const double low = std::log(0.5), high = std::log(1.5);
  const double sections = std::sqrt((low * low + high * high) / 2);
  const double fourfold = std::log(4);
  const double mean = 2 * fourfold / 3;
  const double jackknife = std::sqrt((mean * mean + 2 * (fourfold - mean) * (fourfold - mean)) / 2);
  const double half = student_factor(3, 0.95) * std::max(sections, jackknife) / std::sqrt(3.0);
  CHECK(median.interval->low == Approx(20 * std::exp(-half)));
  CHECK(median.interval->high == Approx(20 * std::exp(mean + half)));
}

TEST_CASE("quantiles of replications: sections tell where the jackknife sees no spread") {
  // Without any one of them the median stays 20, so that all pseudo-values are equal.
  const Replications replications = {repeated(10, 20), repeated(30, 20), repeated(20, 40),
                                     repeated(20, 40)};
  const Estimate median = quantile_by_sections(replications, 0.5);
  REQUIRE(median.interval);
  const double low = std::log(0.5), high = std::log(1.5);
  const double half = student_factor(4, 0.95) * std::sqrt((low * low + high * high) / 3 / 4);
  CHECK(median.interval->low == Approx(20 * std::exp(-half)));
  CHECK(median.interval->high == Approx(20 * std::exp(half)));
  // Paired with replications of no spread at all: -10, 10, 0 and 0 around the difference.
  const Replications steady(4, repeated(5, 40));
  const PairedDifference found = compare_quantiles(replications, steady, 0.5);
  REQUIRE(found.difference.interval);
  CHECK(found.difference.value == 15);
  const double plain = student_factor(4, 0.95) * std::sqrt(200.0 / 3 / 4);
  CHECK(found.difference.interval->low == Approx(15 - plain));
  CHECK(found.difference.interval->high == Approx(15 + plain));
}

TEST_CASE("quantiles of replications: those at or below zero spread without logarithms") {
  const Replications replications = {repeated(-10, 20), repeated(0, 20), repeated(10, 20)};
  const Estimate median = quantile_by_sections(replications, 0.5);
  CHECK(median.value == 0);
  REQUIRE(median.interval);
  // Deviations -10, 0, 10: variance 100. Without one of them: 0, -10 and -10, rank 20 of 40.
  const std::vector<double> pseudo = {0, 20, 20};
  const double mean = 40.0 / 3;
  const double variance = (mean * mean + 2 * (20 - mean) * (20 - mean)) / 2;
  const double half = student_factor(3, 0.95) * std::sqrt(variance / 3);
  CHECK(median.interval->low == Approx(-half));
  CHECK(median.interval->high == Approx(mean + half));
}

namespace {

double quantile(const Replications& replications, double fraction, std::size_t without) {
  LatencyHistogram all;
  for (std::size_t i = 0; i < replications.size(); ++i) {
    if (i != without) all.merge(replications[i]);
  }
  return all.interpolated(all.rank_of(fraction));
}

double variance(const std::vector<double>& values, double around) {
  double squares = 0;
  for (const double each : values) squares += (each - around) * (each - around);
  return squares / static_cast<double>(values.size() - 1);
}

}  // namespace

TEST_CASE("quantiles of replications: a paired difference is that of the merged quantiles") {
  Replications slow, fast;
  for (int i = 0; i < 7; ++i) {
    slow.push_back(ramp(10 + i));
    fast.push_back(ramp(10 + 2 * i));
  }
  slow[3].merge(repeated(70, 40));
  constexpr double kFraction = 0.9;
  const std::size_t n = slow.size();
  const double value = quantile(slow, kFraction, n) - quantile(fast, kFraction, n);
  std::vector<double> sections, pseudo;
  for (std::size_t i = 0; i < n; ++i) {
    sections.push_back(slow[i].interpolated(slow[i].rank_of(kFraction)) -
                       fast[i].interpolated(fast[i].rank_of(kFraction)));
    pseudo.push_back(7 * value - 6 * (quantile(slow, kFraction, i) - quantile(fast, kFraction, i)));
  }
  double mean = 0;
  for (const double each : pseudo) mean += each / 7;
  const double spread = std::max(variance(sections, value), variance(pseudo, mean));
  const double half = student_factor(n, 0.95) * std::sqrt(spread / 7);
  const PairedDifference found = compare_quantiles(slow, fast, kFraction);
  CHECK(found.difference.value == Approx(value));
  CHECK(found.difference.n == 7);
  REQUIRE(found.difference.interval);
  CHECK(found.difference.interval->low == Approx(std::min(value, mean) - half));
  CHECK(found.difference.interval->high == Approx(std::max(value, mean) + half));
  REQUIRE(found.difference.beyond);
  CHECK(*found.difference.beyond <= *quantile_by_replications(slow, kFraction).beyond);
}

TEST_CASE("quantiles of replications: a paired difference of too few has no interval") {
  const Replications few(5, ramp(1));  // 40 observations each
  const PairedDifference p90 = compare_quantiles(few, few, 0.9);
  CHECK(p90.difference.value == 0);
  CHECK_FALSE(p90.difference.interval);
  CHECK(p90.difference.shortage == Shortage::observations);
  const Replications one = {ramp(100)};
  CHECK(compare_quantiles(one, one, 0.5).difference.shortage == Shortage::replications);
}

TEST_CASE("quantiles of replications: what a sample is worth, by its design effect") {
  // A hundred values each; of 1,000 a tenth lies at 50, all of it in one replication of ten, or ten
  // in each.
  const Replications spread(10, [] {
    LatencyHistogram each = repeated(5, 90);
    each.merge(repeated(50, 10));
    return each;
  }());
  Replications lumped(9, repeated(5, 100));
  lumped.push_back(repeated(50, 100));
  // 800 of 1,000 at most 5: a fifth is expected beyond p80, 200 observations.
  CHECK(quantile_by_sections(spread, 0.8).beyond == std::nullopt);
  REQUIRE(quantile_by_replications(spread, 0.8).beyond);
  CHECK(*quantile_by_replications(spread, 0.8).beyond == Approx(200));
  // The share beyond is 0 in nine and 1 in one: 10 / 9 (9 x 10^2 + 90^2) of 1,000 x 0.1 x 0.9.
  REQUIRE(quantile_by_replications(lumped, 0.8).beyond);
  CHECK(*quantile_by_replications(lumped, 0.8).beyond ==
        Approx(200 / (10.0 / 9 * (9 * 100 + 8'100) / 90)));
}

TEST_CASE("quantiles of replications: the value is that of the merged histogram, not a mean") {
  // Unequal sizes: the mean of the medians would be 15.
  const Replications replications = {repeated(10, 20), repeated(20, 80)};
  CHECK(quantile_by_sections(replications, 0.5).value == 20);
  CHECK(quantile_by_inversion(replications, 0.5).value == 20);
}

TEST_CASE("quantiles of replications: inversion reads the share beyond back as quantiles") {
  // Every value of 1..40 in each of ten replications, ten to nineteen times.
  Replications replications;
  std::vector<Cluster> beyond;
  for (int i = 0; i < 10; ++i) {
    replications.push_back(ramp(10 + i));
    const auto size = static_cast<std::uint64_t>(10 + i);
    beyond.push_back({10 * size, 40 * size});
  }
  const Estimate p75 = quantile_by_inversion(replications, 0.75);
  CHECK(p75.value == 30);
  // The share beyond is a quarter in all of them: nothing varies but the buckets.
  REQUIRE(p75.interval);
  CHECK(*p75.interval == Interval{30, 30});
  // One replication of ten twice as far out.
  replications.back() = repeated(80, 400);
  beyond.back() = {400, 400};
  const Estimate wider = quantile_by_inversion(replications, 0.75);
  CHECK(wider.value > 30);
  REQUIRE(wider.interval);
  CHECK(wider.interval->low < 31);
  CHECK(wider.interval->high > 36);
}

TEST_CASE("quantiles of replications: what is too small has no interval, and says what") {
  const Replications one = {ramp(100)};
  CHECK(quantile_by_sections(one, 0.5).shortage == Shortage::replications);
  CHECK(quantile_by_inversion(one, 0.5).shortage == Shortage::replications);
  CHECK(quantile_by_replications({}, 0.5).shortage == Shortage::replications);
  // 400 observations each: enough for p90, together for p99, never for p99.9.
  const Replications many(10, ramp(10));
  CHECK(quantile_by_sections(many, 0.9).interval);
  CHECK(quantile_by_sections(many, 0.99).shortage == Shortage::observations);
  CHECK(quantile_by_inversion(many, 0.999).shortage == Shortage::observations);
  // p99.9 takes 10,000, and a replication has 400.
  CHECK(quantile_by_replications(many, 0.999).n_needed == 25);
  CHECK_FALSE(quantile_by_replications(many, 0.99).n_needed);
  CHECK(quantile_by_replications(many, 0.9).interval == quantile_by_sections(many, 0.9).interval);
  // The largest values are all in one replication.
  Replications lone(10, repeated(5, 1'000));
  lone.back().merge(repeated(60, 200));
  CHECK(quantile_by_inversion(lone, 0.99).shortage != Shortage::none);
}

}  // namespace photon::analysis
