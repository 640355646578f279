#include "campaigns/plan.h"

#include <fmt/format.h>

#include "campaigns/runs/verdict.h"

namespace photonsim::campaigns {

std::vector<std::string> CampaignSpec::names() const {
  if (swarm) return {kSwarmName};
  std::vector<std::string> names;
  for (const Scenario& each : scenarios) names.push_back(each.name);
  return names;
}

std::optional<std::uint64_t> CampaignPlan::run_of(std::size_t scenario, std::uint64_t seed) const {
  if (seed < spec_.first || seed > spec_.last) return std::nullopt;
  const std::uint64_t run = seed - spec_.first;
  return scenario_of(run) == scenario ? std::optional(run) : std::nullopt;
}

std::string CampaignPlan::label_of(std::uint64_t run) const {
  return fmt::format("{}, {} {}", spec_.names()[scenario_of(run)], spec_.numbered(), seed_of(run));
}

RunSpec CampaignPlan::spec_of(std::uint64_t run) const {
  const std::size_t scenario = scenario_of(run);
  if (spec_.swarm) return {scenarios::swarm::scenario(*spec_.swarm, seed_of(run)), scenario};
  RunSpec spec{spec_.scenarios[scenario].config, scenario};
  spec.config.run.seed = seed_of(run);
  return spec;
}

std::string CampaignPlan::replay_of(std::uint64_t run, Shows shows) const {
  const std::string line = spec_.swarm ? swarm_replay_line(*spec_.swarm, seed_of(run))
                                       : replay_line(spec_.scenarios[scenario_of(run)].name,
                                                     spec_.overrides, seed_of(run));
  return shows == Shows::rerun ? line + kTwiceWord : line;
}

}  // namespace photonsim::campaigns
