// Which runs a campaign consists of, and what each of them is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "scenarios/language/config.h"

namespace photonsim::cli {

// Scenarios are dealt to the seeds in turn, or each seed is a world of its own.
struct CampaignPlan {
  const CampaignCommand& command;
  std::vector<scenarios::Config> configs{};  // one for each scenario of the command
  std::vector<bool> done{};                  // runs whose results are known; empty: none

  std::uint64_t runs() const { return command.last - command.first + 1; }
  std::uint64_t seed_of(std::uint64_t run) const { return command.first + run; }
  std::size_t scenario_of(std::uint64_t run) const {
    return configs.empty() ? 0 : static_cast<std::size_t>(run % configs.size());
  }
  bool is_done(std::uint64_t run) const { return !done.empty() && done[run]; }
  // The run of that scenario with that seed; nothing if there is none in this plan.
  std::optional<std::uint64_t> run_of(std::size_t scenario, std::uint64_t seed) const {
    if (seed < command.first || seed > command.last) return std::nullopt;
    const std::uint64_t run = seed - command.first;
    return scenario_of(run) == scenario ? std::optional(run) : std::nullopt;
  }
  scenarios::Config config_of(std::uint64_t run) const;
  // The command that shows it again; `twice`: that it is not the same twice.
  enum class Shows : std::uint8_t { the_run, twice };
  std::string replay_of(std::uint64_t run, Shows shows = Shows::the_run) const;
};

}  // namespace photonsim::cli
