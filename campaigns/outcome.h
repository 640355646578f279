// What a campaign concluded, as its results file keeps it for reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "campaigns/campaign_ci.h"

namespace photonsim::campaigns {

// A failure with its minimized scenario.
struct MinimizedFailure {
  std::string label{};  // of the run: "swarm, seed 7"
  std::string file{};   // of the minimized scenario
  std::string text{};   // of that file
  // What trace_views/diagram.h draws of it, as JSON; empty: nothing.
  std::string diagram{};
};

// One JSON object without what a machine adds, such as times:
//
//   kind         "campaign"
//   program      its version
//   ended        "complete", "ended early", "interrupted" or "error"
//   exit_code    of the program
//   first_seed, last_seed   as texts: JavaScript has no whole numbers of 64 bits
//   overrides    []
//   unmet        [{what, remedy}]: requirements on all runs
//   minimized    [{label, file, text, diagram}]
std::string campaign_outcome(const CampaignFrame& frame, const std::vector<CiFailure>& unmet,
                             const std::vector<MinimizedFailure>& minimized,
                             const std::string& program);

}  // namespace photonsim::campaigns
