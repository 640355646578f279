// Gates over the intervals of figures.
#include "campaigns/study_report.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using Runs = std::vector<std::optional<analysis::RunRecord>>;

// Two replications of two figures; Student's half-width with one degree is 12.7062 / 2 for values
// that are 1 apart.
Runs runs(double batch, double transactions) {
  Runs list;
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
  const Runs list = runs(first, second);
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

}  // namespace photonsim::campaigns
