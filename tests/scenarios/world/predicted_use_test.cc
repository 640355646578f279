// What plan and check predict of the use of limits, beside what a run of that deployment uses.
#include "scenarios/language/predicted_use.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/capacity/capacity.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::tests;
using photon::analysis::ResourceFigures;

namespace {

// "joiner" of "each joiner in us-east1"; empty for a limit that stands "in us-east1".
std::string component_of(const PredictedUse& use) {
  constexpr std::string_view kEach = "each ";
  if (!use.where.starts_with(kEach)) return {};
  const auto begin = kEach.size();
  return use.where.substr(begin, use.where.find(' ', begin) - begin);
}

// The use at the busiest place in the datacenter of the prediction, or of the registry where it
// names none; 0 if the run has no such resource.
double measured_use(const PredictedUse& use, const std::vector<ResourceFigures>& resources) {
  const auto in = use.where.rfind("in ");
  const bool registry = in == std::string::npos;
  const std::string datacenter = registry ? "" : use.where.substr(in + 3);
  const std::string part = "/" + (registry ? std::string("registry") : component_of(use));
  double most = 0;
  for (const ResourceFigures& each : resources) {
    if (each.name != use.name || (!registry && each.datacenter != datacenter)) continue;
    if (each.where.find(part) == std::string::npos) continue;
    most = std::max(most, each.utilisation);
  }
  return most;
}

struct Deployment {
  std::string name;
  std::vector<std::string> overrides;  // besides those of all, below
};

const std::vector<Deployment>& deployments() {
  static const std::vector<Deployment> kAll{
      {"as it ships", {}},
      {"every click in every pipeline", {"dispatcher.pre_lookup=false"}},
      {"look-ups that wait for no insert", {"registry.lookup_mode=bypass"}},
      {"slow processors",
       {"service.joiner_step=2ms", "service.dispatcher_step=100us", "service.cache_lookup=500us",
        "service.registry_operation=200us"}},
      {"a window of its own", {"joiner.max_window=100"}},
      {"a limit for each shard", {"joiner.max_outstanding_per_shard=40"}},
      {"a batch waits for more", {"registry.linger=100ms"}},
      {"more dispatchers than files",
       {"workload.synthetic.click_servers=3", "dispatcher.workers=4"}},
  };
  return kAll;
}

// Half a minute of 600 clicks a second, none of which waits for its query.
std::vector<std::string> overrides_of(const Deployment& deployment) {
  std::vector<std::string> all{"run.duration=40s",
                               "run.warm_up=10s",
                               "workload.synthetic.rate=600",
                               "workload.synthetic.fast_fraction=1",
                               "workload.synthetic.fast_mean=2s",
                               "shipping.query_late_fraction=0"};
  all.insert(all.end(), deployment.overrides.begin(), deployment.overrides.end());
  return all;
}

}  // namespace

TEST_CASE("predicted use: a run uses what was predicted, between both ends", "[sweep]") {
  for (const Deployment& each : deployments()) {
    const std::string scenario = "scenarios/photon_base.toml";
    const auto loaded = load(scenario, overrides_of(each));
    if (!loaded) FAIL(each.name << format(loaded.diagnostics()));
    const Ran ran = run(scenario, 1, overrides_of(each));
    const auto& capacity = ran.outcome.summary.capacity;
    REQUIRE(capacity.stationary == true);
    std::size_t compared = 0;
    for (const PredictedUse& use : predicted_use(loaded.config())) {
      const double measured = measured_use(use, capacity.resources);
      // Below that, costs show that are not predicted: heartbeats, fills of caches.
      if (measured < 0.02 && use.utilisation < 0.1) continue;
      CAPTURE(each.name, use.name, use.where, measured, use.utilisation, use.utilisation_most);
      CHECK(measured > 0.8 * use.utilisation);
      CHECK(measured < 1.25 * use.utilisation_most);
      ++compared;
    }
    // Of two pipelines sends and registrations, and the registry's queue at least.
    CHECK(compared >= 5);
  }
}

namespace {

enum class Told { nothing, perhaps, at_its_peak, surely };
struct Case {
  std::string limit;  // of the first prediction; empty where nothing is told
  Told told;
  std::vector<std::string> overrides;
};

// What runs of these deployments showed: which limit ran over, or that none did (130 s each).
const std::vector<Case>& cases() {
  static const std::vector<Case> kAll{
      {"dispatcher.max_outstanding_lookups",
       Told::perhaps,  // 424 of 500 a second served
       {"dispatcher.max_outstanding_lookups=36"}},
      {"", Told::nothing, {"dispatcher.max_outstanding_lookups=60"}},
      {"", Told::nothing, {"service.registry_operation=1400us"}},  // 55 % used
      {"dispatcher.max_outstanding_lookups",
       Told::surely,  // one worker of four has the file
       {"workload.synthetic.click_servers=1", "dispatcher.workers=4",
        "dispatcher.max_outstanding_lookups=20"}},
      {"processor",
       Told::surely,
       {"workload.synthetic.click_servers=2", "dispatcher.workers=8",
        "service.dispatcher_step=6ms"}},
      {"",
       Told::nothing,
       {"workload.synthetic.click_servers=8", "dispatcher.workers=8",
        "service.dispatcher_step=6ms"}},
      {"joiner.max_window", Told::perhaps, {"registry.linger=500ms", "joiner.count=2"}},
      {"dispatcher.max_outstanding_lookups",
       Told::perhaps,
       {"registry.linger=200ms", "dispatcher.max_outstanding_lookups=120"}},
      {"joiner.max_outstanding_per_shard",
       Told::surely,  // 142 a second served
       {"joiner.max_outstanding_per_shard=1", "joiner.count=2"}},
      {"processor", Told::perhaps, {"service.cache_lookup=3ms", "event_store.cache_nodes=1"}},
      {"",
       Told::nothing,  // the nearest replica answers
       {"registry.lookup_mode=replica", "registry.master_placement=pinned",
        "registry.pinned_datacenter=us-west2", "dispatcher.max_outstanding_lookups=20"}},
      {"processor",
       Told::perhaps,  // 135 a second served
       {"registry.lookup_mode=replica", "service.registry_operation=2400us"}},
      {"processor",
       Told::surely,  // 338 a second served: 5 partitions among 4 workers
       {"dispatcher.workers=4", "dispatcher.partitions=5", "service.dispatcher_step=9ms"}},
      {"processor",
       Told::perhaps,
       {"dispatcher.workers=4", "dispatcher.partitions=5", "service.dispatcher_step=5ms"}},
      {"dispatcher.fresh_share",
       Told::perhaps,  // 246 a second served
       {"dispatcher.fresh_share=0.9", "dispatcher.fresh_age=2s",
        "dispatcher.max_outstanding_lookups=200"}},
      {"dispatcher.max_outstanding_lookups",
       Told::at_its_peak,
       {"workload.synthetic.burst=[{at=\"20s\",for=\"1s\",factor=5}]",
        "dispatcher.max_outstanding_lookups=100"}},
  };
  return kAll;
}

}  // namespace

TEST_CASE("predicted use: what ran over is not passed, and what did not is not accused") {
  const std::vector<std::string> common{"workload.synthetic.rate=500"};
  for (const Case& each : cases()) {
    CAPTURE(each.limit, each.overrides);
    std::vector<std::string> overrides = overrides_of({"", each.overrides});
    overrides.insert(overrides.end(), common.begin(), common.end());
    const auto loaded = load("scenarios/photon_base.toml", overrides);
    REQUIRE(loaded.ok());
    const PredictedUse first = predicted_use(loaded.config()).front();
    CAPTURE(first.name, first.utilisation, first.utilisation_most);
    CHECK(first.cannot_keep_up() == (each.told == Told::surely));
    CHECK(first.cannot_at_its_peak() == (each.told == Told::at_its_peak));
    CHECK(first.may_not_keep_up() == (each.told == Told::perhaps));
    if (!each.limit.empty()) CHECK(first.name == each.limit);
  }
}
