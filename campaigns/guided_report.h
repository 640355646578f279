// The report of a guided campaign: a text for people, one JSON object, and what CI reads.
#pragma once

#include <string>
#include <vector>

#include "campaigns/campaign_ci.h"
#include "campaigns/guided/guided_campaign.h"

namespace photonsim::campaigns {

struct GuidedReport {
  std::string name{};  // of the scenario, or "swarm"
  GuidedResult result{};
  // Of the failures, in their order: the scenario files that show them, empty if these could not be
  // written, and their minimized repros, where an empty name stands for none.
  std::vector<std::string> files{};
  std::vector<std::string> minimized{};
  int exit_code = 0;  // if the campaign did not come to its end

  // A configuration that could not be written has no command of its own.
  std::string replay_of(std::size_t failure) const;
  std::string text() const;
  std::string json() const;  // one line, with its newline
  // The failures that were kept, how many there are besides, and why it broke off if it did.
  photon::analysis::CiReport ci() const;
};

}  // namespace photonsim::campaigns
