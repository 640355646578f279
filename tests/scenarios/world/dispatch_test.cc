// Dispatchers in a whole world: many workers on the same logs, and beginning without state.
#include <algorithm>

#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

namespace {

const std::string kHealthy = "scenarios/healthy.toml";

std::string forget(const std::string& list) { return "operations.forget_state=[" + list + "]"; }

void require_clean(const Ran& ran) {
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.inert_faults.empty());
  CHECK(ran.outcome.summary.unexpected_ends.empty());
  CHECK_FALSE(ran.outcome.failed_check);
}

std::uint64_t effective(const Ran& ran, const std::string& what) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(ran.outcome.faults, [&](const auto& each) {
        return each.effective && each.description.find(what) != std::string::npos;
      }));
}

}  // namespace

TEST_CASE(
    "C-06 J-S14 three workers a pipeline that crash and stall all the time: nothing is lost") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Ran ran = run(
        kHealthy, seed,
        {"dispatcher.workers=3", "dispatcher.lease=6s",
         "faults.random=[{kind = \"process_pause\", target = \"dispatcher\", mean_interval = "
         "\"15s\", mean_duration = \"12s\"}, {kind = \"process_crash\", target = \"dispatcher\", "
         "mean_interval = \"20s\", restart_after = \"10s\"}]"});
    require_clean(ran);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
    CHECK(effective(ran, "pause_process") > 5);
    CHECK(effective(ran, "crash_process") > 5);
  }
}

TEST_CASE("C-32 begun without state while the other pipeline is well: nothing is lost") {
  const Ran ran = run(kHealthy, 1,
                      {"faults.crash=[{process = \"us-east1/dispatcher/0\", at = \"100s\", "
                       "restart_after = \"80s\"}]",
                       forget("{datacenter = \"us-east1\", at = \"175s\"}")});
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(lost(ran) == 0);
}

TEST_CASE(
    "C-32 F-16 J.2 begun without state on both sides: L-operator, exactly what both passed over") {
  const std::vector<std::string> both{
      "faults.crash=[{process = \"us-east1/dispatcher/0\", at = \"100s\", restart_after = \"80s\"},"
      "{process = \"us-west1/dispatcher/0\", at = \"140s\", restart_after = \"60s\"}]",
      forget("{datacenter = \"us-east1\", at = \"175s\"}, {datacenter = \"us-west1\", at = "
             "\"195s\"}")};
  const Ran ran = run(kHealthy, 1, both);
  require_clean(ran);
  CHECK(lost_by(ran, "L-operator") > 50);
  CHECK(lost(ran) == lost_by(ran, "L-operator"));
  CHECK(ran.outcome.summary.joined + lost(ran) == ran.outcome.summary.generated);

  SECTION("verification brings them back") {
    std::vector<std::string> verified = both;
    verified.insert(verified.end(),
                    {"verification.enabled=true", "verification.grace=30s",
                     "verification.recheck_cap=30s", "verification.unregistered_after=9min"});
    const Ran recovered = run(kHealthy, 1, verified);
    require_clean(recovered);
    CHECK(lost(recovered) == 0);
    CHECK(recovered.outcome.summary.joined == recovered.outcome.summary.generated);
  }
}
