// The real click log, where its files lie beside the project (../shared/data/clicks). They are
// never part of the project and no other test needs them: without them this executable reports it
// and ends with kSkipped, which ctest reports as skipped.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

constexpr int kSkipped = 4;  // SKIP_CODE of this test in CMakeLists.txt

const std::filesystem::path kFolder = "../shared/data/clicks";

void require_files() {
  if (std::filesystem::exists(kFolder / "lisp_queries.csv") &&
      std::filesystem::exists(kFolder / "lisp_clicks.csv")) {
    return;
  }
  std::printf("SKIPPED: the real click log is not part of the project and not at %s\n",
              kFolder.c_str());
  std::fflush(stdout);
  std::_Exit(kSkipped);  // Catch2 2 has no skip, and nothing needs clean-up
}

std::vector<std::string> real_log() {
  return {"workload.primary.file=" + (kFolder / "lisp_queries.csv").string(),
          "workload.foreign.file=" + (kFolder / "lisp_clicks.csv").string()};
}

}  // namespace

TEST_CASE("A-03 C-24 the real log under replica faults: 4449 joined, each once, 32 unjoinable") {
  require_files();
  std::uint64_t failovers = 0;
  std::uint64_t lost_replies = 0;
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(2); ++seed) {
    const Ran ran = run("scenarios/trace.toml", seed, real_log());
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.generated == 4481);
    CHECK(ran.outcome.summary.joined == 4449);
    CHECK(never_joinable_by(ran, "unjoinable") == 32);
    CHECK(lost(ran) == 0);
    failovers += ran.outcome.summary.registry.failovers;
    lost_replies += ran.outcome.summary.registry.lost_replies;
  }
  // Otherwise no fault delayed anything.
  CHECK(failovers > 0);
  CHECK(lost_replies > 0);
}

TEST_CASE("D-20 the real log with joiners killed: joined and L-crash together are 4449") {
  require_files();
  std::uint64_t lost_to_crashes = 0;
  for (std::uint64_t seed = 1; photon::testing::another_seed(seed, 5, lost_to_crashes > 0);
       ++seed) {
    const Ran ran = run("scenarios/trace_kills.toml", seed, real_log());
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.joined + lost_by(ran, "L-crash") == 4449);
    CHECK(lost(ran) == lost_by(ran, "L-crash"));
    CHECK(ran.outcome.summary.joiner_crashes > 0);
    lost_to_crashes += lost_by(ran, "L-crash");
  }
  CHECK(lost_to_crashes > 0);  // some crashes hit the window of SPEC D-20
}

TEST_CASE("F-17 J-P4 the real log with joiners killed and verification: exactly 4449 joined") {
  require_files();
  std::uint64_t recovered = 0;
  const std::uint64_t seeds = photon::testing::effort(3);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::vector<std::string> overrides = real_log();
    overrides.emplace_back("verification.enabled=true");
    const Ran ran = run("scenarios/trace_kills.toml", seed, overrides);
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.joined == 4449);
    CHECK(never_joinable_by(ran, "unjoinable") == 32);
    CHECK(lost(ran) == 0);
    recovered += ran.outcome.summary.recovery.recovered;
  }
  CHECK(recovered > 0);
}
