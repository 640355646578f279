// Failures of a campaign made small, each in a process of its own, and written down as stories.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/campaign_plan.h"

namespace photonsim::cli {

inline constexpr double kShrinkSeconds = 60;  // for each failure, about

// Of one scenario that fails: the line, and the story in `file`.
std::string tell_story(const scenarios::Config& config, const std::string& file);

// Of the runs named, one after the other. One line for each: the
// file and what is left in it, or why there is none.
std::vector<std::string> shrink_failures(const CampaignPlan& plan,
                                         const std::vector<std::uint64_t>& runs);

}  // namespace photonsim::cli
