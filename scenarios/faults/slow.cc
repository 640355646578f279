// [[faults.slow]]: keys, rules, lowering and generation.

#include "scenarios/faults/slow.h"

#include <array>

#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios {
namespace slow_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

constexpr std::array kCounted{CountedKind{
    sim::SlowDatacenter::kName, "An event waited for a process, or was overtaken, because of it."}};

constexpr std::array kSlowRows{
    row<&SlowFault::datacenter>({"datacenter", Kind::kName, {}, "Where.", "M", {}, {}, true}),
    row<&SlowFault::factor>({"factor", Kind::kReal, between(1, 1000),
                             "Slowdown factor of steps of servers, of volumes and of messages.",
                             "M"}),
    row<&SlowFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&SlowFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
};

void check(Validation& v, const std::string& path, const SlowFault& slow) {
  check_start(v, path + ".at", slow.at);
  check_datacenter(v, path + ".datacenter", slow.datacenter);
  if (slow.factor > 1) return;
  v.refuse({path + ".factor", path}, "nothing is slower by this factor", "more than 1");
}

ScriptedFault lower(const Lowering& lowering, const SlowFault& slow, std::size_t /*number*/) {
  const auto permille = static_cast<std::uint64_t>(slow.factor * 1000);
  const photon::DatacenterId place = datacenter_named(lowering.topology, slow.datacenter);
  return {fault_of({slow.at, slow.duration}, sim::SlowDatacenter{place, permille})};
}

void generate(Config& config, const Targets& targets, Draws& draws) {
  config.faults.of<SlowFault>().push_back({targets.place(draws),
                                           static_cast<double>(draws.size(2, 100)),
                                           targets.when(draws), draws.time(500ms, 20s)});
}

constexpr std::array kGenerators{FaultGenerator{7, generate}};

void limit_slowdown(Faults& faults, const std::string& datacenter, double& most) {
  double everything = 1;
  for (SlowFault& slow : faults.of<SlowFault>()) {
    if (slow.datacenter != datacenter) continue;
    slow.factor = limited_factor(slow.factor, most);
    everything = std::max(everything, slow.factor);
  }
  most /= everything;
}

}  // namespace

constinit const FaultTable kSlowDatacenters{
    .schema = fault_rows<kSlowRows, SlowFault>("A datacenter in which everything is slower."),
    .script = script_of<SlowFault>(),
    .kinds = kCounted,
    .check = check_entry<SlowFault, check>,
    .turn = 6,
    .lower = lower_entry<SlowFault, lower>,
    .consequences = hold_answers<SlowFault>,
    .limit_slowdown = limit_slowdown,
    .generators = kGenerators};

}  // namespace slow_faults

}  // namespace photonsim::scenarios
