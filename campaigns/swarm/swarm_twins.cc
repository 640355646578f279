#include "campaigns/swarm/swarm_twins.h"

#include <algorithm>

#include "campaigns/swarm/rng.h"

namespace photonsim::scenarios::swarm {

void draw_twins(Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::twins);
  if (!rng.chance(0.5)) return;
  if (config.workload.kind == WorkloadKind::kRegistry) {
    RegistryWorkload& load = config.workload.registry;
    // Not all of the rest: the sum of the shares, rounded, must not be above one.
    const double rest = 1 - load.known - load.aged - load.ahead;
    load.twins = std::min(rng.share(0.02, 0.3), 0.9 * rest);
  } else if (config.run.tick + config.clocks.stamp_resolution > Duration::zero()) {
    config.workload.synthetic.processes = rng.count(2, 4);
  }
}

}  // namespace photonsim::scenarios::swarm
