// Failures made small, each in a process of its own, and written down as stories.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "cli/campaign_plan.h"
#include "cli/shrink_time.h"

namespace photonsim::cli {

struct StoryTask {
  const scenarios::Config& config;  // that fails
  std::string file{};               // for the story
  std::string command{};            // that shows it as it is
  std::uint64_t memory = 0;         // bytes that its runs may have
  ShrinkTime::Clock::duration time{};
};

struct Story {
  std::string file{};  // empty: there is none
  std::string line{};  // the file and what is left in it, or why there is none
};

// Makes it small. If the file holds a story that was made from the same scenario by the same
// version of the program, it is taken as it is, unless it was cut short and there is more time now.
// Nothing if the program was told to stop meanwhile.
std::optional<Story> tell_story(const StoryTask& task);

// Those of the first failures of a campaign, one after the other, until the program is told to
// stop. Says on stderr what came of each; returns their files.
photon::analysis::StoryFiles shrink_failures(const CampaignPlan& plan,
                                             const std::vector<std::uint64_t>& runs,
                                             ShrinkTime::Clock::time_point began);

// "interrupted while failures were made small; ...": how many were left out, and what shows them as
// they are.
std::string stories_left_out(std::size_t left_out, std::size_t all);

}  // namespace photonsim::cli
