// What a campaign says to the machines that build and test: a JUnit file, and annotations in the
// form of GitHub's workflow commands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/campaign.h"

namespace photon::analysis {

// Something that failed: a run, or what all runs together should have shown and did not.
struct CiFailure {
  std::string title{};  // "swarm, seed 7"
  int exit_code = 0;
  std::string what{};
  std::string remedy{};  // of a run the command that shows it again
  std::string story{};   // the file in which it stands made small; empty: it was not
};

struct CiReport {
  std::string suite = "photonsim fuzz";
  std::uint64_t runs = 0;
  std::uint64_t passed = 0;  // runs without a failure
  std::vector<CiFailure> failures{};
  DeterminismSums determinism{};
  double wall_seconds = 0;
};

// Of a campaign, with what it fell short of besides the runs that failed.
CiReport ci_report(const CampaignSum& sum, std::vector<CiFailure> demands,
                   const CampaignFrame& frame);

// One suite: a case for each failure, and one for all runs that did not fail, always of the same
// name.
std::string junit(const CiReport& report);

// One line each: the worst failures first, at most ten, then how many more there are. The last is a
// notice of how many runs there were, and how many of them were done twice.
std::string github_annotations(const CiReport& report);

}  // namespace photon::analysis
