#include "cli/campaign_plan.h"

#include "cli/verdict.h"

namespace photonsim::cli {

scenarios::Config CampaignPlan::config_of(std::uint64_t run) const {
  if (command.swarm) return scenarios::swarm::scenario(*command.swarm, seed_of(run));
  scenarios::Config config = configs[scenario_of(run)];
  config.run.seed = seed_of(run);
  return config;
}

std::string CampaignPlan::replay_of(std::uint64_t run, Shows shows) const {
  const std::string line = command.swarm ? swarm_replay_line(*command.swarm, seed_of(run))
                                         : replay_line(command.scenarios[scenario_of(run)],
                                                       command.overrides, seed_of(run));
  return shows == Shows::twice ? line + kTwiceWord : line;
}

}  // namespace photonsim::cli
