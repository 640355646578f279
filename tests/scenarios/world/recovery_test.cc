// Verification and recovery in whole worlds.
#include <algorithm>

#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

const std::string kRecovery = "scenarios/recovery.toml";
const std::string kBesideSlowOutput = "tests/mutants/scenarios/recovery.toml";

void require_clean(const Ran& ran) {
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.inert_faults.empty());
}

}  // namespace

TEST_CASE("F-17 J-P4 G-19 what joiners lose when they are killed comes back, all of it") {
  const Ran without = run(kRecovery, 1, {"verification.enabled=false", "faults.random=[]"});
  CHECK(without.outcome.summary.generated == without.outcome.summary.joined);
  const Ran ran = run(kRecovery, 1);
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(lost(ran) == 0);
  CHECK(summary.joined == summary.generated);
  CHECK(summary.recovery.recovered > 10);
  CHECK(summary.recovery.removals >= summary.recovery.recovered);
  CHECK(summary.recovery.cleared == summary.joined);  // F-12: no token stays for long
  // Within grace, two looks and a dispatch of the death that lost the click, not hours.
  CHECK(summary.recovery.time.max < 5 * 60);
}

TEST_CASE("F-01 F-18 without verification the same crashes lose clicks, and L-crash has them all") {
  const Ran ran = run(kRecovery, 1, {"verification.enabled=false", R"(faults.random=[
    {kind = "process_crash", target = "joiner", mean_interval = "5s", restart_after = "3s"}])"});
  require_clean(ran);
  CHECK(lost_by(ran, "L-crash") > 5);
  CHECK(lost(ran) == lost_by(ran, "L-crash"));
  CHECK(ran.outcome.summary.recovery.enabled == false);
}

TEST_CASE("F-14 J-P4 J.2 beside storage that loses output, what can be proven comes back") {
  const std::string losses = R"(faults.output_loss=[{datacenter="us-east1",at="3min",records=200},
    {datacenter="us-west1",at="5min",records=200}])";
  const Ran ran = run(kRecovery, 1, {losses});
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(lost_by(ran, "L-storage") == 400);
  CHECK(lost_by(ran, "L-unprovable") > 0);
  CHECK(lost(ran) == 400 + lost_by(ran, "L-unprovable"));
  CHECK(summary.recovery.unprovable >= lost_by(ran, "L-unprovable"));
  // Nearly every life has lost records, and still most of its lost clicks come back.
  CHECK(summary.recovery.recovered > 2 * lost_by(ran, "L-unprovable"));
}

TEST_CASE(
    "F-04 F-07 joiners that cannot write keep their clicks, however long verification sees none") {
  const Ran ran = run("scenarios/partitioned_joiner.toml", 1);
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(summary.recovery.removals == 0);
  CHECK(summary.joined == summary.generated);
  // Some were held back for most of an outage, long after they had come of age.
  const auto output =
      std::ranges::find(summary.stages, "output", [](const auto& stage) { return stage.first; });
  REQUIRE(output != summary.stages.end());
  CHECK(output->second.max > 40);
}

TEST_CASE(
    "F-09 M-38 two verifiers in each pipeline bring back the same clicks, and nobody's else") {
  const Ran ran = run("scenarios/two_verifiers.toml", 1, {"run.duration=4min", "faults.outage=[]"});
  require_clean(ran);
  const auto& recovery = ran.outcome.summary.recovery;
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(recovery.recovered > 5);
  CHECK(recovery.returned > recovery.removals);  // several brought the same one back
}

TEST_CASE("F-04 F-06 F-08 F-09 F-13 recovery beside slow output, whoever of it dies") {
  std::uint64_t recovered = 0;
  std::uint64_t repeated = 0;
  const std::uint64_t seeds = photon::testing::effort(8);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Ran ran = run(kBesideSlowOutput, seed);
    require_clean(ran);
    const auto& summary = ran.outcome.summary;
    CHECK(summary.joined == summary.generated);
    recovered += summary.recovery.recovered;
    CHECK(summary.recovery.returned >= summary.recovery.removals);
    repeated += summary.recovery.returned - summary.recovery.removals;
  }
  CHECK(recovered > 20 * seeds);
  CHECK(repeated > 0);  // two verifiers, and lives that repeat what an earlier one had intended
}

TEST_CASE("F-04 BC-12 J-S11 late inserts, of the dead and of the living, lose no click for good") {
  // With these seeds the network delivers inserts to ids that were removed, for joiners that live
  // on (12, 30) and for dead ones, beside late copies of removals.
  for (const std::uint64_t seed : {1U, 12U, 30U}) {
    const Ran ran = run("tests/mutants/scenarios/late_inserts.toml", seed);
    require_clean(ran);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  }
}
