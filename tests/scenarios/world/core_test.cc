// Some datacenters must work alone before all is healed.
#include "scenarios/world/core.h"

#include "scenarios/deployment/deployment.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using photonsim::tests::Ran;
using photonsim::tests::run;

namespace {

const std::string kCore = R"(run.core=["us-east1","us-east4","us-central1"])";

}  // namespace

TEST_CASE("J-P1 DESIGN-6 a core does all that it can without the other datacenters") {
  for (const std::string rest : {"down", "cut_off", "mute"}) {
    INFO(rest);
    // An outage of the core's pipeline leaves it a backlog.
    const Ran ran = run("scenarios/healthy.toml", 2,
                        {kCore, "run.outside_core=" + rest,
                         R"(faults.outage=[{datacenter="us-east1",at="200s",for="100s"}])"});
    photonsim::tests::require_clean(ran);
    CHECK(ran.outcome.summary.core_obligations > 300);
    CHECK_FALSE(ran.outcome.summary.stall_exempt);
    // One for each datacenter that is down, or one cut.
    const std::uint64_t faults = rest == "down" ? 2 : 1;
    const auto& summary = ran.outcome.summary;
    CHECK(photon::analysis::count_of(summary.fault_kinds, "outside_core." + rest) == faults);
    CHECK(summary.faults_configured == 1 + faults);
    REQUIRE(ran.outcome.summary.faults.size() == 1 + faults);
    for (const auto& fault : ran.outcome.summary.faults) CHECK(fault.effective);
  }
}

TEST_CASE("J-P1 B-18 a core that does not know of an admission is exempt, and works when healed",
          "[sweep]") {
  std::uint64_t exempt = 0;
  for (const std::uint64_t seed : {83, 284, 294, 702732937}) {
    const Ran ran = run("scenarios/regressions/unknown_admission.toml", seed);
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations == 0);
    CHECK(ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.registry.disks_replaced == 1);
    CHECK(ran.outcome.summary.registry.disks_admitted == 1);
    exempt += ran.outcome.summary.stall_exempt ? 1 : 0;
  }
  CHECK(exempt >= 2);
}

TEST_CASE("the datacenters outside the core are out, cut off both ways, or unheard") {
  const auto core = [](const std::string& rest) {
    const std::vector<std::string> set{kCore, "run.outside_core=" + rest};
    const LoadResult loaded = load("scenarios/healthy.toml", set);
    if (!loaded) FAIL(format(loaded.diagnostics()));
    return core_of(loaded.config(), deploy(loaded.config()).topology);
  };
  CHECK(core("down").lasting.size() == 2);
  CHECK(core("down").chosen.replicas == 3);
  CHECK(core("cut_off").lasting.size() == 1);
  const auto mute = core("mute").lasting.at(0).action.as<photon::sim::Partition>();
  CHECK(mute.direction == photon::sim::Direction::one_way);
  CHECK(mute.sides.at(0).size() == 2);  // their messages are lost
}

TEST_CASE("J-P1 a core that could never work is refused") {
  const auto refused = [](const std::string& core) {
    const std::vector<std::string> set{"run.core=" + core};
    const LoadResult loaded = load("scenarios/healthy.toml", set);
    REQUIRE_FALSE(loaded);
    return format(loaded.diagnostics());
  };
  CHECK_THAT(refused(R"(["us-east1","us-east4"])"), Catch::Contains("no majority"));
  CHECK_THAT(refused(R"(["us-east4","us-west2","us-central1"])"),
             Catch::Contains("runs a pipeline"));
  CHECK_THAT(refused(R"(["us-east1","us-east4","nowhere"])"), Catch::Contains("nowhere"));
}
