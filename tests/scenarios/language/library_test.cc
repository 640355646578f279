#include <algorithm>
#include <filesystem>
#include <set>

#include "scenarios/faults/outage.h"
#include "scenarios/faults/random.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

Config shipped_config(std::string_view name, const std::vector<std::string>& set = {}) {
  const LoadResult result = load(shipped_path(name), set);
  if (!result.ok()) {
    FAIL(format(result.diagnostics()));
  }
  return result.config();
}

bool crashes(const Config& config, FaultTarget target) {
  return std::any_of(config.faults.of<RandomFault>().begin(), config.faults.of<RandomFault>().end(),
                     [&](const RandomFault& fault) {
                       return fault.kind == RandomFaultKind::kProcessCrash &&
                              (fault.target == target || fault.target == FaultTarget::kAny);
                     });
}

}  // namespace

TEST_CASE("every scenario of the library loads and is listed in this test") {
  REQUIRE(shipped().size() > 5);
  for (const std::string& name : shipped()) {
    CAPTURE(name);
    CHECK(shipped_config(name).scenario.name == name);
  }
}

TEST_CASE("the resolved scenario, printed, is the same scenario with the same hash") {
  std::set<std::uint64_t> hashes;
  for (const std::string& name : shipped()) {
    CAPTURE(name);
    const Config config = shipped_config(name, {"network.reordering=1ppb", "run.seed=77"});
    const std::string text = to_toml(config);
    const LoadResult again = load_text(text, "/elsewhere/copy.toml");
    REQUIRE(again.ok());
    CHECK(again.config() == config);
    CHECK(to_toml(again.config()) == text);
    CHECK(config_hash(again.config()) == config_hash(config));
    CHECK(hashes.insert(config_hash(config)).second);
  }
}

TEST_CASE("photon_base is Photon's deployment: five replicas as 2-2-1, two pipelines") {
  const Config c = shipped_config("photon_base");
  CHECK(c.topology == Topology{});
  CHECK(c.registry.replicas == Registry{}.replicas);
  CHECK(c.topology.pipelines.size() == 2);
  CHECK(c.faults == Faults{});
}

TEST_CASE("quickstart is what issue 2 asks for") {
  const Config c = shipped_config("quickstart");
  CHECK(c.workload.synthetic.clicks >= 100'000);
  CHECK(c.network.loss == 0.001);
  CHECK(c.network.duplication == 0.001);
  CHECK(c.registry.replicas.size() == 5);
  CHECK(c.topology.pipelines.size() == 2);
  REQUIRE(c.faults.of<OutageFault>().size() == 1);
  const OutageFault& outage = c.faults.of<OutageFault>()[0];
  CHECK(outage.duration == 3min);
  CHECK(outage.at + outage.duration < c.run.duration);
  const auto& pipelines = c.topology.pipelines;
  CHECK(std::count(pipelines.begin(), pipelines.end(), outage.datacenter) == 1);
  for (const FaultTarget target :
       {FaultTarget::kJoiner, FaultTarget::kDispatcher, FaultTarget::kRegistry, FaultTarget::kCache,
        FaultTarget::kReader}) {
    CHECK(crashes(c, target));
  }
  CHECK(c.dispatcher.unjoinable_age == 5min);
  CHECK(c.dispatcher.unjoinable_attempts == 6);
  CHECK(shipped_config("healthy").faults == Faults{});
}

TEST_CASE("trace spares joiners, trace_kills does not") {
  const Config trace = shipped_config("trace");
  CHECK(trace.workload.kind == WorkloadKind::kTrace);
  CHECK_FALSE(crashes(trace, FaultTarget::kJoiner));
  CHECK_FALSE(crashes(trace, FaultTarget::kDispatcher));
  CHECK(crashes(trace, FaultTarget::kRegistry));
  REQUIRE(trace.faults.of<OutageFault>().size() == 1);
  CHECK(trace.faults.of<OutageFault>()[0].component == OutageComponent::kRegistry);
  const Config kills = shipped_config("trace_kills");
  CHECK(crashes(kills, FaultTarget::kJoiner));
  CHECK(crashes(kills, FaultTarget::kDispatcher));
  CHECK(kills.faults.of<RandomFault>().size() == trace.faults.of<RandomFault>().size() + 2);
  CHECK(kills.workload == trace.workload);
}

TEST_CASE("the small log has 60 queries and 400 clicks, 5 of them without a query") {
  const std::string queries = read_text("scenarios/traces/small_queries.csv");
  const std::string clicks = read_text("scenarios/traces/small_clicks.csv");
  CHECK(queries.starts_with("query_id,t_ms\n"));
  CHECK(clicks.starts_with("click_id,query_id,t_ms\n"));
  CHECK(std::count(queries.begin(), queries.end(), '\n') == 61);
  CHECK(std::count(clicks.begin(), clicks.end(), '\n') == 401);
  std::size_t empty = 0;
  for (std::size_t at = clicks.find(",,"); at != std::string::npos;
       at = clicks.find(",,", at + 1)) {
    ++empty;
  }
  CHECK(empty == 5);
}
