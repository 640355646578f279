// CI reports of a campaign: a JUnit file, and annotations as GitHub workflow commands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/campaign.h"

namespace photonsim::campaigns {

// A failed run, or a requirement on all runs that is unmet.
struct CiFailure {
  std::string title{};  // "swarm, seed 7"
  int exit_code = 0;
  std::string what{};
  std::string remedy{};    // for a run: the command that reproduces it
  std::string repro{};     // the file of its minimized repro; empty: there is none
  std::string file{};      // where to look: its scenario file, or a file of the program
  std::uint64_t runs = 1;  // that fail by the same cause, this one included
  std::string oracle{};    // that found it; empty: none
};

// All runs of one scenario, or all generated configurations of one tier.
struct CiGroup {
  std::string name{};
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
  double seconds = 0;                   // of processor time
  std::vector<std::string> failures{};  // a text for each of its first failures
  std::vector<std::string> rules{};     // oracles whose rule one of these texts states
  int exit_code = 0;                    // the worst of its runs
};

struct CiReport {
  std::string suite = "photonsim fuzz";
  std::string file{};  // for failures without one: the first scenario, or the generator
  std::uint64_t runs = 0;
  std::uint64_t passed = 0;  // runs without a failure
  std::vector<CiGroup> groups{};
  std::vector<CiFailure> causes{};    // the first failed run of each cause
  std::vector<CiFailure> failures{};  // unmet requirements on all runs
  std::uint64_t not_run = 0;          // planned runs without a result
  DeterminismSums determinism{};
  double wall_seconds = 0;
};

// Requires in `obligations` the unmet requirements on all runs.
CiReport ci_report(const CampaignSum& sum, std::vector<CiFailure> obligations,
                   const CampaignFrame& frame);

// One suite: a case for each scenario or group of configurations, which fails if one of its runs
// does; and one for each unmet requirement on all runs.
std::string junit(const CiReport& report);

// One line for each cause of failures and each shortfall, the worst first, at most ten; then the
// number of the others. Each names a file: the minimized repro, the scenario, or a file of the
// program. The last line is a notice with the number of runs and reruns.
std::string github_annotations(const CiReport& report);

}  // namespace photonsim::campaigns
