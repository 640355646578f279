// What a campaign says to the machines that build and test: a JUnit file, and annotations in the
// form of GitHub's workflow commands.
#pragma once

#include <string>

#include "analysis/campaign.h"

namespace photon::analysis {

// One suite: a case for each run that failed, and one for all that did not.
std::string junit(const CampaignSum& sum, const CampaignFrame& frame);

// One line each, the worst failures first, at most ten, then how many more there are. Empty if none
// failed.
std::string github_annotations(const CampaignSum& sum);

}  // namespace photon::analysis
