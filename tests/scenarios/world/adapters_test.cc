// Each adapter in a judged run: the reference of the workload and the joiner's adapter agree.

#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

namespace {

Ran run_short(std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"run.duration=90s", "workload.synthetic.clicks=400"});
  return run("scenarios/healthy.toml", 3, overrides);
}

}  // namespace

TEST_CASE(
    "D-05 D-06 J-S15 the filtering adapter: a part is skipped, neither registered nor written") {
  const Ran ran = run_short({"joiner.adapter=filter", "joiner.skip_modulo=3"});
  CAPTURE(ran.json);
  CHECK(ran.outcome.summary.violations_total == 0);
  const auto skipped = never_joinable_by(ran, "skipped");
  CHECK(skipped > ran.outcome.summary.generated / 5);
  CHECK(skipped < ran.outcome.summary.generated / 2);
  CHECK(ran.outcome.summary.joined + skipped == ran.outcome.summary.generated);
}

TEST_CASE("D-05 J-S15 the enriching adapter: every record hashes to the reference's value") {
  // Two widths: a reference that ignored it could agree with one of them only.
  for (const char* step : {"joiner.delay_step=1s", "joiner.delay_step=20s"}) {
    const Ran ran = run_short({"joiner.adapter=enrich", step});
    CAPTURE(ran.json);
    CHECK(ran.outcome.summary.violations_total == 0);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  }
}
