// The report of a guided campaign: a text, a JSON object, and the report for CI.
#pragma once

#include <string>
#include <vector>

#include "campaigns/campaign_ci.h"
#include "campaigns/guided/guided_campaign.h"

namespace photonsim::campaigns {

struct GuidedReport {
  std::string name{};  // of the scenario, or "swarm"
  GuidedResult result{};
  // For each failure, in order: its scenario file (empty if it could not be written) and its
  // minimized repro (empty if there is none).
  std::vector<std::string> files{};
  std::vector<std::string> minimized{};
  int exit_code = 0;  // if the campaign did not complete

  // Its file's command; a configuration without a file has no command of its own.
  std::string replay_of(std::size_t failure) const;
  std::string text() const;
  std::string json() const;  // one line, with its newline
  // The listed failures, the number of the others, and why the campaign was aborted, if so.
  photon::analysis::CiReport ci() const;
};

}  // namespace photonsim::campaigns
