// The registry's limits as scenario keys, in the whole of Photon.
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

namespace {

const std::string kBase = "tests/mutants/scenarios/base.toml";

Ran sound(const std::string& scenario, const std::vector<std::string>& settings) {
  Ran ran = run(scenario, 1, settings);
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  return ran;
}

}  // namespace

TEST_CASE("B-23 B-31 B-24 the registry's limits are keys that bite") {
  const Ran plain = sound(kBase, {});
  CHECK(plain.outcome.summary.registry.overloaded == 0);
  SECTION("max_batch_operations = 1: no batching") {
    const Ran ran = sound(kBase, {"registry.max_batch_operations=1"});
    CHECK(ran.outcome.summary.registry.mean_batch == 1.0);
    CHECK(plain.outcome.summary.registry.mean_batch > 1.0);
  }
  SECTION("max_queue: overloaded, retried, and everything is joined") {
    const Ran ran = sound(kBase, {"registry.max_queue=1", "registry.max_bundle=1"});
    CHECK(ran.outcome.summary.registry.overloaded > 20);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  }
  SECTION("max_batch_bytes: more transactions for the same work") {
    const Ran ran = sound(kBase, {"registry.max_batch_bytes=1KiB", "registry.max_bundle=2"});
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  }
  SECTION("pipeline_depth: batches in flight side by side") {
    const Ran ran = sound(kBase, {"registry.pipeline_depth=8"});
    CHECK(ran.outcome.summary.registry.mean_batch < plain.outcome.summary.registry.mean_batch);
    CHECK(ran.outcome.summary.registry.transactions > plain.outcome.summary.registry.transactions);
    for (const char* scenario : {"cut_master", "elections", "lost_replies", "twins"}) {
      static_cast<void>(sound(std::string("tests/mutants/scenarios/") + scenario + ".toml",
                              {"registry.pipeline_depth=4"}));
    }
  }
}
