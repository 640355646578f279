// The joined records in the other datacenters: copies count as one record, and may lag.

#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

TEST_CASE("D-08 J-S1 J.3-10 every joined record reaches the other datacenter, and counts once") {
  const std::vector<std::string> overrides{"joiner.output_copies=true", "run.duration=90s",
                                           "workload.synthetic.clicks=600"};
  const Ran ran = run("scenarios/healthy.toml", 2, overrides);
  CAPTURE(ran.json);
  CHECK(ran.outcome.summary.violations_total == 0);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.duplicates == 0);
  CHECK(ran.outcome.summary.output_copies == ran.outcome.summary.joined);
}

TEST_CASE("D-08 J-P0 a run waits for the copies, and reports records that never arrived") {
  const std::vector<std::string> cut{
      "joiner.output_copies=true", "run.duration=90s", "workload.synthetic.clicks=600",
      R"(faults.partition=[{from=["us-east1"],to=["us-west1"],at="30s",for="1h"}])"};
  const Ran ran = run("scenarios/healthy.toml", 2, cut);
  CAPTURE(ran.json);
  CHECK(ran.outcome.summary.violations_total == 0);
  CHECK(ran.outcome.summary.output_copies == ran.outcome.summary.joined);
  auto stopped = cut;
  stopped.emplace_back("run.quiesce_limit=1ms");
  CHECK(run("scenarios/healthy.toml", 2, stopped).json.find("\"D-08\"") != std::string::npos);
}

TEST_CASE("D-08 A-26 J.2 a loss before shipping hides no later copy") {
  // East's records from 45 s on wait for the link to recover; some are lost before.
  const Ran ran =
      run("scenarios/healthy.toml", 1,
          {"joiner.output_copies=true", "run.duration=90s", "workload.synthetic.clicks=600",
           R"(faults.output_loss=[{datacenter="us-east1",at="1min",records=50}])",
           R"(faults.partition=[{from=["us-east1"],to=["us-west1"],at="45s",for="1min"}])"});
  CAPTURE(ran.replay, ran.json);
  const auto& summary = ran.outcome.summary;
  CHECK(summary.violations_total == 0);
  CHECK(lost_by(ran, "L-storage") > 10);
  CHECK(lost_by(ran, "L-storage") < 50);  // the others had been shipped
  CHECK(lost(ran) == lost_by(ran, "L-storage"));
  CHECK(summary.joined + lost(ran) == summary.generated);
  CHECK(summary.output_copies == summary.joined);
}

TEST_CASE("D-08 D-16 J-S1 mirrors crash, messages are lost and duplicated: no record twice") {
  std::uint64_t copies = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Ran ran =
        run("scenarios/slow_output.toml", seed,
            {"joiner.output_copies=true", "run.duration=80s", "workload.synthetic.clicks=900",
             "network.loss=5%", "network.duplication=5%", "faults.random.0.target=mirror"});
    CAPTURE(ran.replay, ran.json);
    CHECK(ran.outcome.summary.violations_total == 0);
    CHECK(lost(ran) == 0);
    CHECK(ran.outcome.summary.duplicates == 0);
    CHECK(ran.outcome.summary.process_crashes > 5);
    CHECK(ran.outcome.summary.output_copies <= ran.outcome.summary.joined);
    CHECK(10 * ran.outcome.summary.output_copies > 9 * ran.outcome.summary.joined);
    copies += ran.outcome.summary.output_copies;
  }
  CHECK(copies > 1000);
}
