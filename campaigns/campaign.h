// What a campaign sums up over its runs, all of it from RunRecord: figures that can be added,
// coverage, findings, and the runs that failed.
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
#include "analysis/results/run_record.h"
#include "campaigns/mark_tally.h"

namespace photon::analysis {

// Files of minimized repros, by (scenario, seed).
using StoryFiles = std::map<std::pair<std::size_t, std::uint64_t>, std::string>;

// What the report says besides the sums.
struct CampaignFrame {
  // ended_early: no run was to begin after some time, or after the first failure.
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
  std::vector<std::string> cut_off{};  // runs that the time ended: "swarm, seed 5"; not run
  bool names_marks = false;            // of the text: all marks that no run reached are named
};

// Runs whose determinism was checked, by the result.
struct DeterminismSums {
  std::uint64_t same = 0;
  std::uint64_t diverged = 0;
};

// A named count, over all runs.
struct CountSum {
  std::uint64_t runs = 0;   // that have it
  std::uint64_t shown = 0;  // of them: with a count above zero
  std::uint64_t sum = 0;
};
using CountSums = std::map<std::string, CountSum, std::less<>>;

// A figure, over the runs that have it. `value`: by the figure's way of adding, which is not none.
struct MetricSum {
  Unit unit = Unit::count;
  Adding adding = Adding::sum;
  std::uint64_t runs = 0;
  double value = 0;
};

// Runs by the oracles that found something in them.
using RunsByOracle = std::map<std::string, std::uint64_t, std::less<>>;

// Runs in which one assumption was broken on purpose (DESIGN 6, tier contract).
struct BrokenAssumption {
  std::uint64_t runs = 0;
  std::uint64_t detected = 0;
  RunsByOracle by{};       // oracles that had to detect it
  RunsByOracle besides{};  // others that found something
};

class CampaignSum {
 public:
  explicit CampaignSum(std::vector<std::string> scenarios);

  // False, and nothing is added, if the scenario or a mark is unknown, if a figure has another unit
  // or way of adding than before, or if some corner cases are missing.
  [[nodiscard]] bool add(RunRecord run);

  std::uint64_t runs() const { return runs_; }
  std::uint64_t failed() const { return failures_.size(); }
  const std::string& scenario_name(std::size_t scenario) const { return shares_[scenario].name; }
  std::uint64_t runs_of_scenario(std::size_t scenario) const { return shares_[scenario].runs; }
  // By (scenario, seed); without figures, coverage and histograms.
  const std::map<std::pair<std::size_t, std::uint64_t>, RunRecord>& failures() const {
    return failures_;
  }
  // Runs of one scenario and one tier.
  struct ShareByTier {
    std::uint64_t runs = 0;
    std::uint64_t failed = 0;
    double cpu_seconds = 0;
  };
  using SharesByTier = std::map<std::pair<std::size_t, RunTier>, ShareByTier>;
  const SharesByTier& shares_by_tier() const { return shares_by_tier_; }
  // The place of such a share in that list. Requires that it has runs.
  std::size_t place_of_share(std::size_t scenario, RunTier tier) const;

  // The first of them; null if none failed.
  const RunRecord* first_failure() const;

  // Names of corner cases that no run showed; nothing if no run of a registry alone counted them.
  std::optional<std::vector<std::string>> missing() const;

  const MarkTally& marks() const { return marks_; }
  const CountSums& fault_kinds() const { return fault_kinds_; }  // configured, and effects
  const CountSums& obligations() const { return obligations_; }  // of oracles
  const DeterminismSums& determinism() const { return determinism_; }

  std::uint64_t runs_of_tier(RunTier tier) const {
    return runs_of_tier_[static_cast<std::size_t>(tier)];
  }

  // All figures that can be added over runs, by name.
  const std::map<std::string, MetricSum, std::less<>>& metrics() const { return metrics_; }
  // A count over all runs, by its name in RunRecord::metrics; 0 if no run had it.
  std::uint64_t sum(std::string_view metric) const;
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
  bool fits(const RunRecord& run) const;
  void add_metrics(const RunRecord& run);
  void add_corner_cases(const RunRecord& run);
  void add_findings(const RunRecord& run);
  std::string headline(const CampaignFrame& frame) const;
  std::string corner_table() const;
  std::string failure_list() const;
  std::string cause_table() const;
  std::string not_run_lines(const CampaignFrame& frame) const;
  std::string mark_table(bool names) const;
  std::string kind_table() const;
  std::string state_table() const;
  std::string break_table() const;
  std::string over_line() const;
  std::string demand_table() const;
  std::string cost_lines() const;
  double cpu_seconds() const;

  std::vector<Share> shares_;
  SharesByTier shares_by_tier_{};
  std::uint64_t runs_ = 0;
  std::uint64_t counting_ = 0;  // of them: those that count corner cases
  std::map<std::string, MetricSum, std::less<>> metrics_{};
  std::vector<CountSum> corner_cases_;  // in the order of corner_rows
  MarkTally marks_{};
  CountSums fault_kinds_{};
  CountSums obligations_{};
  // By kind: faults that took effect, in each state of the protocols.
  std::map<std::string, std::array<std::uint64_t, kProtocolStates>, std::less<>> effects_{};
  std::array<std::uint64_t, kRunTierNames.size()> runs_of_tier_{};
  std::map<std::string, BrokenAssumption, std::less<>> breaks_{};
  RunsByOracle exempt_{};  // runs over tolerance with findings that their tier exempts
  DeterminismSums determinism_{};
  std::uint64_t events_ = 0;
  std::uint64_t sim_milliseconds_ = 0;
  std::vector<std::uint64_t> cpu_microseconds_{};  // of each run
  std::map<std::pair<std::size_t, std::uint64_t>, RunRecord> failures_{};
};

}  // namespace photon::analysis
