// The real click log, where its files lie beside the project (../shared/data/clicks). They are
// never part of the project and no other test needs them: without them this one says that it
// skipped.
#include <cstdio>
#include <filesystem>

#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

namespace {

const std::filesystem::path kFolder = "../shared/data/clicks";

bool present() {
  const bool found = std::filesystem::exists(kFolder / "lisp_queries.csv") &&
                     std::filesystem::exists(kFolder / "lisp_clicks.csv");
  if (!found) std::printf("SKIPPED: the real click log is not at %s\n", kFolder.c_str());
  return found;
}

std::vector<std::string> real_log() {
  return {"workload.primary.file=" + (kFolder / "lisp_queries.csv").string(),
          "workload.foreign.file=" + (kFolder / "lisp_clicks.csv").string()};
}

}  // namespace

TEST_CASE("A-03 C-24 the real log under replica faults: 4449 joined, each once, 32 unjoinable") {
  if (!present()) return;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Ran ran = run("scenarios/trace.toml", seed, real_log());
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.generated == 4481);
    CHECK(ran.outcome.summary.joined == 4449);
    CHECK(never_joinable_by(ran, "unjoinable") == 32);
    CHECK(lost(ran) == 0);
  }
}

TEST_CASE("D-20 the real log with joiners killed: joined and L-crash together are 4449") {
  if (!present()) return;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Ran ran = run("scenarios/trace_kills.toml", seed, real_log());
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.joined + lost_by(ran, "L-crash") == 4449);
    CHECK(lost(ran) == lost_by(ran, "L-crash"));
    CHECK(ran.outcome.summary.joiner_crashes > 0);
  }
}
