// What a process of a campaign says on its pipe, a line each time: that it begins a run, how one
// ended, or that one cannot be done at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/campaign.h"
#include "core_impl/base/mark.h"

namespace photonsim::cli {

struct CampaignMessage {
  enum class Kind : std::uint8_t { begun, ended, refused };

  Kind kind = Kind::begun;
  std::uint64_t run = 0;                // its number in the campaign, from 0
  int exit_code = 0;                    // of the run (ended) or of the process (refused)
  std::vector<std::uint64_t> counts{};  // of campaign_counts; empty if there are none
  std::string text{};                   // what is wrong, any number of lines
  photon::MarkHits marks{};
  photon::analysis::RunCost cost{};
  photon::analysis::CountGroups groups{};
  std::string fingerprint{};  // one word, or empty
};

std::string line_of(const CampaignMessage& message);  // newline included
// `line` without its newline; nothing if it is no such line.
std::optional<CampaignMessage> message_of(std::string_view line);

}  // namespace photonsim::cli
