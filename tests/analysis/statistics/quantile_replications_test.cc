#include "analysis/statistics/quantile_replications.h"

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
  // Deviations -10, 0, 10: variance 100.
  const double half = student_factor(3, 0.95) * 10 / std::sqrt(3.0);
  REQUIRE(median.interval);
  CHECK(median.interval->low == Approx(20 - half));
  CHECK(median.interval->high == Approx(20 + half));
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
  CHECK(quantile_by_replications(many, 0.9).interval == quantile_by_sections(many, 0.9).interval);
  // The largest values are all in one replication.
  Replications lone(10, repeated(5, 1'000));
  lone.back().merge(repeated(60, 200));
  CHECK(quantile_by_inversion(lone, 0.99).shortage != Shortage::none);
}

}  // namespace photon::analysis
