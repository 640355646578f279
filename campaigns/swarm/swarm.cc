#include "campaigns/swarm/swarm.h"

#include "campaigns/swarm/rng.h"
#include "campaigns/swarm/swarm_backlog.h"
#include "campaigns/swarm/swarm_constraints.h"
#include "campaigns/swarm/swarm_contract.h"
#include "campaigns/swarm/swarm_extremes.h"
#include "campaigns/swarm/swarm_faults.h"
#include "campaigns/swarm/swarm_shape.h"
#include "campaigns/swarm/swarm_ticks.h"
#include "campaigns/swarm/swarm_twins.h"
#include "core_impl/base/check.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::swarm {

Config scenario(const Options& options, std::uint64_t seed) {
  Rng rng(seed, Part::tier);
  const Tier drawn = rng.chance(0.1) ? Tier::kOver : Tier::kWithin;
  Config config = generate_deployment(options, options.tier.value_or(drawn), seed);
  if (config.scenario.tier == Tier::kContract) {
    draw_contract(config, seed);
  } else {
    push_to_extremes(config, seed);
    repair_constraints(config);
    draw_operations(config, seed);
    draw_faults(config, options, seed);
    limit_slowness(config);
    draw_core(config, seed);
    draw_backlog(config, seed);
    draw_tick(config, seed);
    draw_twins(config, seed);
    repair_constraints(config);
    round_to_tick(config);
  }
  config.run.most_events = options.most_events;
  // Round trip through the text: the printed configuration is the one that runs, and the loader
  // reports every error in it.
  const LoadResult loaded = load_text(to_toml(config), config.scenario.name);
  if (!loaded) PHOTON_CHECK(loaded.ok(), format(loaded.diagnostics()).c_str());
  return loaded.config();
}

}  // namespace photonsim::scenarios::swarm
