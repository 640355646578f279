#include "campaigns/studies/estimates.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "analysis/rare_events/replications.h"
#include "campaigns/runs/exit_codes.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using Records = std::vector<std::optional<analysis::RunRecord>>;

analysis::RunRecord run_with(double value, double stationary = 1) {
  analysis::RunRecord run;
  run.metrics = {
      {"registry.mean_batch", analysis::Unit::ratio, analysis::Adding::none, value},
      {"capacity.stationary", analysis::Unit::ratio, analysis::Adding::none, stationary}};
  return run;
}

}  // namespace

TEST_CASE("estimates: the mean of replications with Student's interval") {
  const Records runs{run_with(8), run_with(10), run_with(12)};
  const PointEstimates point(runs);
  const auto batch = point.of("registry.mean_batch");
  REQUIRE(batch);
  CHECK(batch->estimate.value == Approx(10));
  REQUIRE(batch->estimate.interval);
  // Student with 2 degrees at 95 %: 4.302653; standard deviation 2.
  CHECK(batch->estimate.interval->half_width() == Approx(4.302653 * 2 / std::sqrt(3.0)));
  CHECK(batch->estimate.n == 3);
  CHECK(point.stationary() == true);
  CHECK_FALSE(point.of("latency.total.p99"));
}

TEST_CASE("estimates: one replication has no interval, and says what is short") {
  const Records runs{run_with(8)};
  const auto batch = PointEstimates(runs).of("registry.mean_batch");
  REQUIRE(batch);
  CHECK_FALSE(batch->estimate.interval);
  CHECK(batch->estimate.shortage == analysis::Shortage::replications);
}

TEST_CASE("estimates: a figure that cannot be negative has no interval below zero") {
  const Records runs{run_with(0), run_with(0), run_with(1)};
  const auto batch = PointEstimates(runs).of("registry.mean_batch");
  REQUIRE((batch && batch->estimate.interval));
  CHECK(batch->shown().interval->low == 0);
  // What decides on further replications is not clipped: 4.302653 sqrt(1 / 3) / sqrt(3).
  CHECK(batch->estimate.interval->half_width() == Approx(4.302653 / 3));
}

TEST_CASE("estimates: a share above a bound is that of all latencies together, runs as clusters") {
  // Runs with 1 to 6 latencies of 20 s among 100, 200, 300 and so on.
  const auto runs_with = [](std::uint64_t above) {
    Records runs;
    for (std::uint64_t i = 1; i <= 6; ++i) {
      analysis::LatencyHistogram histogram;
      for (std::uint64_t k = 0; k < 100 * i; ++k) {
        histogram.add(std::chrono::seconds(k < above * i ? 20 : 1));
      }
      runs.push_back(run_with(1));
      runs.back()->histograms.push_back({"latency_own", histogram.to_bytes()});
    }
    return runs;
  };
  const Records some = runs_with(1);
  const auto share = PointEstimates(some).of("latency.own.above.10s");
  REQUIRE(share);
  CHECK(share->estimate.value == Approx(0.01));
  CHECK(share->unit == analysis::Unit::ratio);
  CHECK(share->rate);
  // Clusters with equal rates leave no variance between them.
  REQUIRE(share->estimate.interval);
  CHECK(share->estimate.interval->half_width() == Approx(0).margin(1e-12));
  CHECK(PointEstimates(some).of("latency.own.above.500ms")->estimate.value == Approx(1));
  CHECK_FALSE(PointEstimates(some).of("latency.total.above.10s"));
  // The rule of three over the six runs.
  const Records none = runs_with(0);
  const auto nothing = PointEstimates(none).of("latency.own.above.10s");
  REQUIRE((nothing && nothing->estimate.interval));
  CHECK(nothing->estimate.value == 0);
  CHECK(nothing->estimate.interval->high == Approx(1 - std::pow(0.05, 1.0 / 6)));
}

TEST_CASE("estimates: figures of intervals have estimates, and stand in no list of names") {
  Records runs{run_with(1), run_with(2), run_with(3)};
  double joins = 10;
  for (auto& run : runs) {
    run->metrics.push_back({"series.joins.first_pipeline.0007", analysis::Unit::count,
                            analysis::Adding::none, joins++});
  }
  runs.front()->metrics.push_back(
      {"series.own_p90.first_pipeline.0007", analysis::Unit::seconds, analysis::Adding::none, 1});
  const PointEstimates point(runs);
  const auto estimate = point.of("series.joins.first_pipeline.0007");
  REQUIRE((estimate && estimate->estimate.interval));
  CHECK(estimate->estimate.value == Approx(11));
  CHECK(estimate->estimate.interval->half_width() == Approx(4.302653 / std::sqrt(3)));
  CHECK_FALSE(point.of("series.own_p90.first_pipeline.0007"));  // not all runs joined in it
  const auto names = point.names();
  CHECK_FALSE(names.empty());
  CHECK(std::ranges::none_of(names, [](const auto& each) { return each.starts_with("series."); }));
}

TEST_CASE("estimates: a count that no replication has is not surely zero") {
  analysis::RunRecord none;
  none.metrics = {{"lost", analysis::Unit::count, analysis::Adding::sum, 0}};
  const Records runs{none, none, none};
  const auto lost = PointEstimates(runs).of("lost");
  REQUIRE(lost);
  CHECK(lost->estimate.value == 0);
  CHECK_FALSE(lost->estimate.interval);
  CHECK(lost->estimate.shortage == analysis::Shortage::no_event);
}

TEST_CASE("estimates: the loss rate is that of all clicks, with runs as clusters") {
  const auto run_of = [](double lost, double joinable) {
    analysis::RunRecord run;
    run.metrics = {{"lost", analysis::Unit::count, analysis::Adding::sum, lost},
                   {"joinable", analysis::Unit::count, analysis::Adding::sum, joinable},
                   {"loss_rate", analysis::Unit::ratio, analysis::Adding::none, lost / joinable}};
    return run;
  };
  // 100 of 10,000; the mean of the rates would be 0.0475.
  Records runs{run_of(10, 100), run_of(20, 4'950), run_of(20, 1'000), run_of(20, 1'000),
               run_of(30, 2'950)};
  const auto rate = PointEstimates(runs).of("loss_rate");
  REQUIRE(rate);
  CHECK(rate->estimate.value == Approx(0.01));
  CHECK(rate->estimate.n == 5);
  REQUIRE(rate->estimate.interval);
  CHECK(rate->estimate.interval->low > 0);
  // No loss in five runs: 1 - 0.05^(1/5) of them have one at most.
  runs = {run_of(0, 1'000), run_of(0, 1'000), run_of(0, 1'000), run_of(0, 1'000), run_of(0, 1'000)};
  const auto none = PointEstimates(runs).of("loss_rate");
  REQUIRE((none && none->estimate.interval));
  CHECK(none->rate);
  CHECK(none->estimate.interval->high == Approx(0.450720));
}

TEST_CASE("estimates: failed replications are counted and left out; overload is no failure") {
  analysis::RunRecord unsafe = run_with(100);
  unsafe.exit_code = kSafetyViolation;
  analysis::RunRecord overloaded = run_with(20, 0);
  overloaded.exit_code = kLivenessViolation;
  overloaded.bound_by = "joiner.max_window in us-east1";
  analysis::RunRecord stuck = run_with(100);
  stuck.exit_code = kLivenessViolation;
  const Records runs{run_with(10), unsafe, overloaded, stuck, std::nullopt};
  const PointEstimates point(runs);
  CHECK(point.replications() == 2);
  CHECK(point.failed() == 2);
  CHECK(point.worst_exit_code() == kSafetyViolation);
  CHECK(point.stationary() == false);
  CHECK(point.bound_by() == "joiner.max_window in us-east1");
  CHECK(point.of("registry.mean_batch")->estimate.value == Approx(15));
}

TEST_CASE("estimates: a point is bound by what surely held a run up, if any did") {
  analysis::RunRecord perhaps = run_with(10);
  std::erase_if(perhaps.metrics,
                [](const analysis::Metric& each) { return each.name == "capacity.stationary"; });
  perhaps.bound_by = "joiner.max_in_flight in us-west1";
  analysis::RunRecord surely = run_with(20, 0);
  surely.bound_by = "processor in us-east1/joiner/0";
  const Records both{perhaps, surely}, one{run_with(10), perhaps};
  CHECK(PointEstimates(both).bound_by() == "processor in us-east1/joiner/0");
  CHECK(PointEstimates(one).bound_by() == "joiner.max_in_flight in us-west1");
  CHECK_FALSE(PointEstimates(both).decides_latencies());
  CHECK_FALSE(PointEstimates(one).decides_latencies());  // too few samples
  perhaps.metrics.push_back({"capacity.growing", analysis::Unit::ratio, analysis::Adding::none, 3});
  // While every limit has room: a fault.
  for (const double used : {0.4, 0.8}) {
    analysis::RunRecord run = perhaps;
    run.metrics.push_back(
        {"capacity.closest_saturation", analysis::Unit::ratio, analysis::Adding::none, used});
    const Records growing{run_with(10), run};
    CHECK(PointEstimates(growing).decides_latencies() == (used < 0.5));
  }
}

TEST_CASE("estimates: a quantile is that of the merged histograms, not a mean of quantiles") {
  // 1,000 values of 1 to 1,000 ms, and 1,000 values of 1 ms.
  Records runs{run_with(1), run_with(1)};
  for (std::size_t run = 0; run < 2; ++run) {
    analysis::LatencyHistogram histogram;
    for (int i = 1; i <= 1000; ++i) {
      histogram.add(std::chrono::milliseconds(run == 0 ? i : 1));
    }
    runs[run]->histograms.push_back({"latency_own", histogram.to_bytes()});
    runs[run]->metrics.push_back({"latency_own.p99", analysis::Unit::seconds,
                                  analysis::Adding::none, run == 0 ? 0.99 : 0.001});
  }
  const auto p99 = PointEstimates(runs).of("latency.own.p99");
  REQUIRE(p99);
  CHECK(p99->estimate.value == Approx(0.98).epsilon(0.02));
}

TEST_CASE("estimates: pairs are the runs that count and have a seed in common") {
  const auto seeded = [](std::uint64_t seed, int exit_code = kOk) {
    analysis::RunRecord run = run_with(double(seed));
    run.seed = seed;
    run.exit_code = exit_code;
    return std::optional(run);
  };
  const Records first{seeded(4), seeded(2), seeded(3, kSafetyViolation)};
  const Records second{seeded(2), seeded(3), seeded(4), seeded(9)};
  const PointEstimates one(first), other(second);
  const SeedPairs pairs = paired_by_seed(one, other);
  REQUIRE(pairs.first.size() == 2);
  REQUIRE(pairs.second.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(pairs.first[i]->seed == (i == 0 ? 2 : 4));
    CHECK(pairs.second[i]->seed == pairs.first[i]->seed);
  }
}

TEST_CASE("estimates: an interval is wider at a higher confidence") {
  const Records runs{run_with(4), run_with(8), run_with(6)};
  const auto usual = PointEstimates(runs).of("registry.mean_batch");
  const auto sure = PointEstimates(runs).of("registry.mean_batch", 0.99);
  REQUIRE((usual && sure && usual->estimate.interval && sure->estimate.interval));
  // Student's factors of two degrees of freedom.
  CHECK(sure->estimate.interval->half_width() / usual->estimate.interval->half_width() ==
        Approx(9.924843 / 4.302653));
}

TEST_CASE("estimates: a splitting is not asked whether it keeps up, and its interval fits it") {
  Records runs;
  for (const double probability : {1e-4, 3e-4, 8e-4}) {
    analysis::RunRecord run;
    run.metrics = {
        {"rare.probability", analysis::Unit::ratio, analysis::Adding::none, probability}};
    runs.emplace_back(run);
  }
  const PointEstimates point(runs);
  CHECK_FALSE(point.is_doubtful());
  CHECK(point.decides_latencies());
  const auto found = point.of("rare.probability");
  REQUIRE((found && found->estimate.interval));
  const auto expected = analysis::probability_mean(std::vector<double>{1e-4, 3e-4, 8e-4});
  CHECK(found->estimate.interval == expected.interval);
  CHECK(found->estimate.interval->low > 0);  // Student's would reach below it
}

}  // namespace photonsim::campaigns
