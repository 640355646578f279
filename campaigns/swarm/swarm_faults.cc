#include "campaigns/swarm/swarm_faults.h"

#include <vector>

#include "campaigns/swarm/rng.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/targets.h"

namespace photonsim::scenarios::swarm {
namespace {

// The seed alone decides which datacenters may fail: a mutant stays in the tier of its origin.
Targets targets_of(const Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::targets);
  return {config, rng};
}

bool is_possible(const FaultGenerator& generator, const Config& config) {
  switch (generator.needs) {
    case Needs::nothing:
      break;
    case Needs::pipelines:
      return !config.registry_only();
    case Needs::dynamic_sharding:
      return config.registry.sharding == Sharding::kDynamic;
    case Needs::verification:
      return config.verification.enabled;
  }
  return true;
}

}  // namespace

void draw_faults(Config& config, const Options& options, std::uint64_t seed) {
  const Targets targets = targets_of(config, seed);
  Rng classes(seed, Part::fault_classes);
  config.faults.inert = InertFaults::kAllow;
  if (classes.chance(0.02)) return;  // some configurations have no faults
  std::vector<FaultGenerator::Add> enabled;
  for (const FaultGenerator& each : fault_generators()) {
    if (each.all != nullptr) continue;
    const std::uint64_t weight = classes.chance(0.5) ? classes.size(1, 8) : 0;
    if (is_possible(each, config)) enabled.insert(enabled.end(), weight, each.add);
  }
  if (enabled.empty()) enabled.push_back(fault_generators().front().add);
  const std::uint64_t most = options.profile == Profile::deep ? 60 : 16;
  const std::uint64_t count = classes.size(1, most);
  for (std::uint32_t i = 0; i < count; ++i) {
    Rng rng(seed, Part::faults, i);
    rng.of(enabled)(config, targets, rng);
  }
  for (const FaultGenerator& each : fault_generators()) {
    if (each.all == nullptr || !is_possible(each, config)) continue;
    Rng rng(seed, static_cast<Part>(each.part));
    each.all(config, targets, rng);
  }
}

void add_fault(Config& config, std::uint64_t root_seed, Rng& rng) {
  const Targets targets = targets_of(config, root_seed);
  std::vector<FaultGenerator::Add> possible;
  for (const FaultGenerator& each : fault_generators()) {
    if (each.share_of_mutations > 0) {
      if (rng.chance(each.share_of_mutations)) return each.add(config, targets, rng);
    } else if (is_possible(each, config)) {
      possible.push_back(each.add);
    }
  }
  rng.of(possible)(config, targets, rng);
}

}  // namespace photonsim::scenarios::swarm
