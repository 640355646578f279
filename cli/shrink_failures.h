// Failures of a campaign made small, each in a process of its own, and written down as stories.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/campaign_plan.h"

namespace photonsim::cli {

inline constexpr double kShrinkSeconds = 60;  // for each failure, about

// Of one scenario that fails: the line, and the story in `file`; its runs have so much memory.
// Nothing, and no story, if the program was told to stop meanwhile.
std::optional<std::string> tell_story(const scenarios::Config& config, const std::string& file,
                                      std::uint64_t memory);

// "interrupted while failures were made small; ...": how many were left out, and what shows them as
// they are.
std::string stories_left_out(std::size_t left_out, std::size_t all);

// Of the runs named, one after the other, until the program is told to stop. One line for each: the
// file and what is left in it, or why there is none.
std::vector<std::string> shrink_failures(const CampaignPlan& plan,
                                         const std::vector<std::uint64_t>& runs);

}  // namespace photonsim::cli
