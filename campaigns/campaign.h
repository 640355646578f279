// What a campaign sums up over its runs: counts that can be added, and the runs that failed.
//
// The result depends on the runs alone, not on the order in which they came in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/reports/summary.h"
#include "analysis/results/campaign_run.h"
#include "campaigns/mark_tally.h"

namespace photon::analysis {

// Files in which failures stand that were made small, by (scenario, seed).
using StoryFiles = std::map<std::pair<std::size_t, std::uint64_t>, std::string>;

// What the report says besides the sums.
struct CampaignFrame {
  // ended_early: it was to begin no run behind some time, or behind the first failure.
  enum class End : std::uint8_t { complete, ended_early, interrupted, error };

  std::vector<std::string> overrides{};
  std::uint64_t first_seed = 0, last_seed = 0;
  std::string model_version{};
  End end = End::complete;
  int exit_code = 0;  // of the program
  double wall_seconds = 0;
  std::uint64_t done_before = 0;           // runs that the results file had: they took no time now
  std::vector<std::string> died_before{};  // runs done again because their process had died
  StoryFiles stories{};
  bool names_marks = false;  // of the text: all marks that no run reached are named
};

// Runs that were done twice, by whether both were the same.
struct DoneTwice {
  std::uint64_t same = 0;
  std::uint64_t differed = 0;
};

// One name of a group, over all runs.
struct GroupSum {
  std::uint64_t runs = 0;   // that had it in their group
  std::uint64_t shown = 0;  // of them: with a count above zero
  std::uint64_t sum = 0;    // of the counts
};

class CampaignSum {
 public:
  using Group = std::map<std::string, GroupSum, std::less<>>;

  explicit CampaignSum(std::vector<std::string> scenarios);

  // False, and nothing is added, if the counts are not those of campaign_counts, or the scenario or
  // a mark is unknown.
  [[nodiscard]] bool add(CampaignRun run);

  std::uint64_t runs() const { return runs_; }
  std::uint64_t failed() const { return failures_.size(); }
  const std::string& scenario_name(std::size_t scenario) const { return shares_[scenario].name; }
  std::uint64_t runs_of_scenario(std::size_t scenario) const { return shares_[scenario].runs; }
  // By (scenario, seed).
  const std::map<std::pair<std::size_t, std::uint64_t>, CampaignRun>& failures() const {
    return failures_;
  }
  // The first of them; null if none failed.
  const CampaignRun* first_failure() const;

  // Names of corner cases that no run showed; nothing if no run of a registry alone counted them.
  std::optional<std::vector<std::string>> missing() const;

  const MarkTally& marks() const { return marks_; }
  const Group& group(std::string_view name) const;  // empty if no run had it
  DoneTwice done_twice() const;

  // Runs of that tier, which is not "within".
  std::uint64_t runs_of_tier(std::string_view tier) const;

  // Of one of campaign_counts over all runs. Requires such a name.
  std::uint64_t sum(std::string_view name) const;
  // The median over all runs that came to an end; 0 if there is none.
  double median_cpu_seconds() const;

  // One JSON object on one line, without newline; a table for people.
  std::string json(const CampaignFrame& frame) const;
  std::string text(const CampaignFrame& frame) const;

 private:
  struct Share {  // of one scenario
    std::string name{};
    std::uint64_t runs = 0;
    std::uint64_t failed = 0;
  };

  Counts sums() const;
  std::string headline(const CampaignFrame& frame) const;
  std::string corner_table() const;
  std::string failure_list() const;
  std::string mark_table(bool names) const;
  std::string kind_table() const;
  std::string state_table() const;
  std::string break_table() const;
  std::string over_line() const;
  std::string demand_table() const;
  std::string cost_lines() const;
  double cpu_seconds() const;

  std::vector<Share> shares_;
  std::uint64_t runs_ = 0;
  std::uint64_t counting_ = 0;  // of them: those that count corner cases
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint64_t> corner_sums_;
  std::vector<std::uint64_t> runs_with_corner_;
  MarkTally marks_{};
  std::map<std::string, Group, std::less<>> groups_{};
  std::uint64_t events_ = 0;
  std::uint64_t sim_milliseconds_ = 0;
  std::vector<std::uint64_t> cpu_microseconds_{};  // of each run
  std::map<std::pair<std::size_t, std::uint64_t>, CampaignRun> failures_{};
};

}  // namespace photon::analysis
