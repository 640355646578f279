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
  std::string remedy{};    // of a run the command that shows it again
  std::string story{};     // the file of its minimized repro; empty: there is none
  std::string file{};      // the scenario that it is a run of; empty: none, or a generated one
  std::uint64_t runs = 1;  // that fail by the same cause, this one included
};

// All runs of one scenario, or all generated configurations of one tier.
struct CiGroup {
  std::string name{};
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
  double seconds = 0;                   // of processor time
  std::vector<std::string> failures{};  // a text for each of its first failures
  int exit_code = 0;                    // the worst of its runs
};

struct CiReport {
  std::string suite = "photonsim fuzz";
  std::uint64_t runs = 0;
  std::uint64_t passed = 0;  // runs without a failure
  std::vector<CiGroup> groups{};
  std::vector<CiFailure> causes{};    // of failed runs: the first run of each cause
  std::vector<CiFailure> failures{};  // what all runs together fell short of
  std::uint64_t not_run = 0;          // runs that were planned and did not end
  DeterminismSums determinism{};
  double wall_seconds = 0;
};

// Of a campaign, with what it fell short of besides the runs that failed.
CiReport ci_report(const CampaignSum& sum, std::vector<CiFailure> demands,
                   const CampaignFrame& frame);

// One suite: a case for each scenario or group of configurations, with its time, which fails if a
// run of it does; and one for each thing that all runs together fell short of.
std::string junit(const CiReport& report);

// One line for each cause of failures and each shortfall, the worst first, at most ten, then how
// many more there are. Each names a file where there is one: the minimized repro, or the scenario.
// The last line is a notice of how many runs there were, and how many were rerun.
std::string github_annotations(const CiReport& report);

}  // namespace photon::analysis
