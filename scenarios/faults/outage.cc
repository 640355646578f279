// [[faults.outage]]: keys, rules, lowering and generation.

#include "scenarios/faults/outage.h"

#include <array>

#include "scenarios/deployment/components.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/generators.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios {
namespace outage_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

struct OutageKind {
  OutageComponent component;
  std::string_view word;
  CountedKind counted;
  sim::ComponentMask mask;
  bool of_pipeline;  // a datacenter without a pipeline has none
};
// By enumerator.
constexpr std::array kKinds{
    OutageKind{OutageComponent::kAll,
               "all",
               {"outage.all",
                "A process of the datacenter crashed, or could not restart in time; or a request "
                "found its cell down."},
               sim::kAllComponents,
               false},
    OutageKind{OutageComponent::kRegistry,
               "registry",
               {"outage.registry",
                "A replica of the registry there crashed, or could not restart in time."},
               sim::mask_of(component::kRegistry),
               false},
    OutageKind{OutageComponent::kPipeline,
               "pipeline",
               {"outage.pipeline",
                "A process of the pipeline there crashed, or could not restart in time."},
               sim::mask_of(component::kPipeline),
               true},
    OutageKind{OutageComponent::kCell,
               "cell",
               {"outage.cell", "A request found the cell down."},
               sim::mask_of(component::kCell),
               true},
    OutageKind{OutageComponent::kLogs,
               "logs",
               {"outage.logs", "A request found the copies of the logs down."},
               sim::mask_of(component::kLogs),
               true}};
static_assert(in_order(kKinds, &OutageKind::component));
constexpr auto kComponents = words_of(kKinds);
constexpr CountedKind kOfRegion{"outage.region",
                                "Datacenters of the region were down, the second of them included.",
                                ShownBy::swarm, Counts::as_series};
constexpr auto kCounted = counted_of(kKinds, kOfRegion);

const OutageKind& kind_of(const OutageFault& outage) {
  return kKinds[static_cast<std::size_t>(outage.component)];
}

constexpr std::array kOutageRows{
    row<&OutageFault::datacenter>({"datacenter",
                                   Kind::kName,
                                   {},
                                   "Where: a datacenter, or all of a region.",
                                   "SPEC A-25",
                                   {},
                                   {},
                                   true}),
    row<&OutageFault::component>(
        {"component",
         Kind::kChoice,
         {},
         "Everything, the registry replicas, the pipeline, the shared cell, or the input logs.",
         "SPEC A-25",
         kComponents}),
    row<&OutageFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&OutageFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
};

void check(Validation& v, const std::string& path, const OutageFault& outage) {
  check_start(v, path + ".at", outage.at);
  const std::vector<std::string> places = check_place(v, path + ".datacenter", outage.datacenter);
  if (places.size() != 1) return;  // of a region, some may have nothing of the sort
  check_inhabited(v, path + ".datacenter", places.front(), kind_of(outage).of_pipeline,
                  outage.component == OutageComponent::kRegistry);
}

ScriptedFault lower(const Lowering& lowering, const OutageFault& outage, std::size_t /*number*/) {
  const OutageKind& kind = kind_of(outage);
  const std::vector<photon::DatacenterId> places = members({outage.datacenter}, lowering.topology);
  const bool region = places.size() > 1 && outage.component == OutageComponent::kAll;
  ScriptedFault faults;
  for (const photon::DatacenterId place : places) {
    faults.push_back(fault_of({outage.at, outage.duration}, sim::Outage{place, kind.mask},
                              region ? kOfRegion.name : kind.counted.name));
  }
  return faults;
}

void generate(Config& config, const Targets& targets, Draws& draws) {
  OutageFault outage;
  outage.component =
      draws.one_of({OutageComponent::kAll, OutageComponent::kAll, OutageComponent::kRegistry,
                    OutageComponent::kPipeline, OutageComponent::kCell, OutageComponent::kLogs});
  const bool registry =
      outage.component == OutageComponent::kAll || outage.component == OutageComponent::kRegistry;
  outage.datacenter = registry ? targets.place(draws) : targets.pipeline(draws);
  if (outage.component == OutageComponent::kAll && draws.chance(0.5)) {
    outage.datacenter = targets.region_of(outage.datacenter);
  }
  outage.at = targets.when(draws);
  outage.duration = draws.time(200ms, 40s);
  config.faults.of<OutageFault>().push_back(outage);
  const bool cell = outage.component == OutageComponent::kCell;
  if (cell && draws.chance(0.5))
    start_anew(outage.datacenter, outage.at, outage.duration, config, targets, draws);
}

// A record that waits for an append to an unavailable cell shows no sign of life.
void hold_appends(const Faults& faults, Consequences& all) {
  for (const OutageFault& outage : faults.of<OutageFault>()) {
    if (outage.component != OutageComponent::kCell) continue;
    all.appends_held[outage.datacenter] += outage.duration;
  }
}

constexpr std::array kGenerators{FaultGenerator{5, generate}};

}  // namespace

constinit const FaultTable kOutages{
    .schema = fault_rows<kOutageRows, OutageFault>(
        "The outage of a datacenter or of a part of it. Counted as outage.COMPONENT; of all of a "
        "region as outage.region, from its second datacenter on."),
    .script = script_of<OutageFault>(),
    .kinds = kCounted,
    .check = check_entry<OutageFault, check>,
    .turn = 1,
    .lower = lower_entry<OutageFault, lower>,
    .consequences = hold_appends,
    .generators = kGenerators};

}  // namespace outage_faults

}  // namespace photonsim::scenarios
