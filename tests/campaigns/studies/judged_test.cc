// Gates over the intervals of figures.
#include "campaigns/study_report.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using Records = std::vector<std::optional<analysis::RunRecord>>;

// Two replications of two figures; Student's half-width with one degree is 12.7062 / 2 for values
// that are 1 apart.
Records runs(double batch, double transactions) {
  Records list;
  for (const double more : {-0.5, 0.5}) {
    analysis::RunRecord run;
    run.metrics = {
        {"registry.mean_batch", analysis::Unit::ratio, analysis::Adding::none, batch + more},
        {"load.mean_batch", analysis::Unit::ratio, analysis::Adding::none, transactions - more}};
    list.emplace_back(std::move(run));
  }
  return list;
}

GateResult result(const std::string& text, double first, double second = 100) {
  const Records list = runs(first, second);
  return judged(Condition::parse(text).condition.value(), PointEstimates(list));
}

}  // namespace

TEST_CASE("gates: met if the whole interval is on its side, missed if none of it is") {
  // 100 +- 6.35
  CHECK(result("registry.mean_batch < 107", 100) == GateResult::met);
  CHECK(result("registry.mean_batch < 93", 100) == GateResult::missed);
  CHECK(result("registry.mean_batch < 101", 100) == GateResult::undecided);
  CHECK(result("registry.mean_batch > 93", 100) == GateResult::met);
  CHECK(result("registry.mean_batch >= 107", 100) == GateResult::missed);
  CHECK(result("99 <= registry.mean_batch", 100) == GateResult::undecided);
}

TEST_CASE("gates: equality is missed beside the interval, and undecided within it") {
  CHECK(result("registry.mean_batch == 200", 100) == GateResult::missed);
  CHECK(result("registry.mean_batch == 101", 100) == GateResult::undecided);
  CHECK(result("registry.mean_batch != 200", 100) == GateResult::met);
  CHECK(result("registry.mean_batch != 101", 100) == GateResult::undecided);
}

TEST_CASE("gates: two figures are compared at all values of both intervals") {
  CHECK(result("registry.mean_batch > load.mean_batch", 101, 100) == GateResult::undecided);
  CHECK(result("registry.mean_batch > load.mean_batch", 120, 100) == GateResult::met);
  CHECK(result("registry.mean_batch / load.mean_batch < 1.1", 100, 100) == GateResult::undecided);
  CHECK(result("registry.mean_batch / load.mean_batch < 1.2", 100, 100) == GateResult::met);
  CHECK(result("registry.mean_batch < lost", 100) == GateResult::not_measured);
}

TEST_CASE("gates: of one replication nothing is sure, of a count what was observed") {
  const auto of = [](std::size_t replications, const std::string& text) {
    Records list;
    for (std::size_t i = 0; i < replications; ++i) {
      analysis::RunRecord run;
      run.metrics = {{"registry.mean_batch", analysis::Unit::ratio, analysis::Adding::none, 5},
                     {"lost", analysis::Unit::count, analysis::Adding::sum, 0}};
      list.emplace_back(std::move(run));
    }
    return judged(Condition::parse(text).condition.value(), PointEstimates(list));
  };
  CHECK(of(1, "registry.mean_batch < 100") == GateResult::undecided);
  CHECK(of(2, "registry.mean_batch < 100") == GateResult::met);
  CHECK(of(1, "registry.mean_batch * 0 < 1") == GateResult::undecided);
  CHECK(of(3, "lost == 0") == GateResult::met);
  CHECK(of(3, "lost > 0") == GateResult::missed);
  // None in 3 runs: one in 63 % of them cannot be ruled out.
  CHECK(of(3, "lost < 1") == GateResult::met);
  CHECK(of(3, "lost < 0.5") == GateResult::undecided);
  CHECK(of(300, "lost < 0.5") == GateResult::met);
}

TEST_CASE("differences: of quantiles and means seed by seed, and none of a count that is nowhere") {
  const auto run_of = [](int scale, double lost, double batch) {
    analysis::RunRecord run;
    analysis::LatencyHistogram histogram;
    for (int i = 1; i <= 2'000; ++i) histogram.add(std::chrono::milliseconds(i * scale));
    run.histograms = {{"latency_own", histogram.to_bytes()}};
    run.metrics = {{"latency_own.p99", analysis::Unit::seconds, analysis::Adding::none, 7},
                   {"registry.mean_batch", analysis::Unit::ratio, analysis::Adding::none, batch},
                   {"lost", analysis::Unit::count, analysis::Adding::sum, lost}};
    return run;
  };
  const std::vector<analysis::RunRecord> one{run_of(1, 0, 1), run_of(1, 0, 2)};
  const std::vector<analysis::RunRecord> two{run_of(2, 0, 4), run_of(2, 0, 5)};
  const std::vector<const analysis::RunRecord*> first{&one[0], &one[1]}, second{&two[0], &two[1]};
  const auto p99 = difference_of(second, first, "latency.own.p99");
  REQUIRE(p99);
  CHECK(p99->difference.value == Approx(1.98).epsilon(0.01));
  CHECK(p99->difference.interval->low == Approx(p99->difference.value).epsilon(0.01));
  const auto batch = difference_of(second, first, "registry.mean_batch");
  REQUIRE(batch);
  CHECK(batch->difference.interval == analysis::Interval{3, 3});
  const auto lost = difference_of(second, first, "lost");
  REQUIRE(lost);
  CHECK_FALSE(lost->difference.interval);
  CHECK_FALSE(difference_of(second, first, "joined"));
  CHECK(have_same(one[0], one[1], "latency.own.p99"));
  CHECK_FALSE(have_same(one[0], two[0], "latency.own.p99"));
}

}  // namespace photonsim::campaigns
