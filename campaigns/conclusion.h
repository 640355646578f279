// The conclusion of a campaign: its exit code, what the user must know besides the report, and the
// minimized repros of its first failures.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "campaigns/campaign_ci.h"
#include "campaigns/engine.h"
#include "campaigns/requirements.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/listener.h"

namespace photonsim::campaigns {

struct Conclusion {
  int exit_code = 0;  // of the program
  // Failures other than those of runs, each with its remedy.
  std::vector<CiFailure> others{};
};

// Reports to the listener why the campaign ended early, its first failure, and the unmet
// requirements. `results`: the name of the results file; empty: none.
Conclusion conclude(const CampaignEngine& campaign, const Requirements& requirements,
                    const std::string& results, Listener& listener);

// The report's contents besides the sums; the exit code is left open.
CampaignFrame frame_of(const CampaignEngine& campaign, WallClock::time_point began);

struct MinimizeOptions {
  std::uint64_t most = 3;  // failures to minimize
  std::string folder{};    // for the repros
  // Time limit for all of them, beyond that of the campaign; nothing: a minute for each.
  std::optional<std::chrono::nanoseconds> time{};
};

// The minimized repros of the first failures, one by one, until a stop request.
ReproFiles minimize_failures(const CampaignEngine& campaign, const std::vector<std::uint64_t>& runs,
                             const MinimizeOptions& options, WallClock::time_point began,
                             Listener& listener);

// What is wrong with the choice of scenarios and requirements, in one sentence with its remedy;
// empty: nothing.
std::string misfit_of(const CampaignSpec& spec, const Requirements& requirements);

}  // namespace photonsim::campaigns
