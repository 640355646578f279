// Sums over the runs of a campaign, computed from their RunRecords: figures, coverage, findings,
// and the failed runs. Independent of the order of the runs.
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
#include "campaigns/latency_sums.h"
#include "campaigns/mark_tally.h"

namespace photonsim::campaigns {

// Files of minimized repros, by (scenario, seed).
using ReproFiles = std::map<std::pair<std::size_t, std::uint64_t>, std::string>;

// The report's contents besides the sums.
struct CampaignFrame {
  // ended_early: --time or the first failure stopped the campaign before all its runs had started.
  enum class End : std::uint8_t { complete, ended_early, interrupted, error };

  std::vector<std::string> overrides{};
  std::uint64_t first_seed = 0, last_seed = 0;
  std::string model_version{};
  End end = End::complete;
  int exit_code = 0;  // of the program
  double wall_seconds = 0;
  std::uint64_t done_before = 0;           // runs taken from the results file, without cost now
  std::vector<std::string> died_before{};  // runs repeated because their process had died
  ReproFiles repros{};
  std::vector<std::string> missed_gates{};  // "latency.own.p99 < 200ms: missed by 6 runs"
  std::vector<std::string> cut_off{};       // runs ended by the deadline: "swarm, seed 5"; not run
  // The scenario files written for failed configurations, by (scenario, number).
  ReproFiles files{};
  // Of a guided search: the configurations in its corpus, and the features they reached.
  std::optional<std::pair<std::size_t, std::size_t>> corpus_and_features{};
  bool names_marks = false;  // the text names all marks that no run reached
};

// "ended early"
std::string_view name_of(CampaignFrame::End end);

// Runs whose determinism was checked, by the result.
struct DeterminismSums {
  std::uint64_t same = 0;
  std::uint64_t diverged = 0;
};

// A count by name, over all runs.
struct CountSum {
  std::uint64_t runs = 0;   // that have it
  std::uint64_t shown = 0;  // of them: with a count above zero
  std::uint64_t sum = 0;
};
using CountSums = std::map<std::string, CountSum, std::less<>>;

// A figure, over the runs that have it. `value` is combined by `adding`, which is never none.
struct MetricSum {
  photon::analysis::Unit unit = photon::analysis::Unit::count;
  photon::analysis::Adding adding = photon::analysis::Adding::sum;
  std::uint64_t runs = 0;
  double value = 0;
};

// Number of runs with a finding, by oracle.
using RunsByOracle = std::map<std::string, std::uint64_t, std::less<>>;

// Runs that break one assumption (DESIGN 6, tier contract).
struct BrokenAssumption {
  std::uint64_t runs = 0;
  std::uint64_t detected = 0;
  RunsByOracle by{};       // expected oracles that reported it
  RunsByOracle besides{};  // other oracles with findings
};

// By kind: faults that took effect, in each state of the protocols.
using EffectsByKind =
    std::map<std::string, std::array<std::uint64_t, photon::analysis::kProtocolStates>,
             std::less<>>;

class CampaignSum {
 public:
  // `pooling`: whether all runs of a scenario are of one configuration, so that their latencies
  // are one sample.
  enum class Pooling : std::uint8_t { by_scenario, none };
  // `numbered`: what the number RunRecord::seed is called.
  explicit CampaignSum(std::vector<std::string> scenarios, Pooling pooling = Pooling::by_scenario,
                       std::string numbered = "seed");

  // Returns false, and adds nothing, on an unknown scenario or mark, on a figure with another unit
  // or way of adding than before, or on missing corner cases.
  [[nodiscard]] bool add(photon::analysis::RunRecord run);

  std::uint64_t runs() const { return runs_; }
  std::uint64_t events() const { return events_; }
  // "swarm, seed 7"
  std::string label_of(const photon::analysis::RunRecord& run) const;
  std::uint64_t failed() const { return failures_.size(); }
  const std::string& scenario_name(std::size_t scenario) const { return shares_[scenario].name; }
  std::uint64_t runs_of_scenario(std::size_t scenario) const { return shares_[scenario].runs; }
  // By (scenario, seed); without figures, coverage and histograms.
  const std::map<std::pair<std::size_t, std::uint64_t>, photon::analysis::RunRecord>& failures()
      const {
    return failures_;
  }
  // Runs of one scenario and one tier.
  struct ShareByTier {
    std::uint64_t runs = 0;
    std::uint64_t failed = 0;
    double cpu_seconds = 0;
  };
  using SharesByTier = std::map<std::pair<std::size_t, photon::analysis::RunTier>, ShareByTier>;
  const SharesByTier& shares_by_tier() const { return shares_by_tier_; }
  // Its index in that list. Requires that it has runs.
  std::size_t place_of_share(std::size_t scenario, photon::analysis::RunTier tier) const;

  // Runs that could not keep up, and what held up the first of them by scenario and seed.
  std::uint64_t not_stationary() const { return not_stationary_; }
  const std::string& first_bound_by() const { return first_bound_by_.second; }

  // The first failed run; null if none failed.
  const photon::analysis::RunRecord* first_failure() const;

  // Corner cases that no run showed; nothing if no run of the registry-only workload counted them.
  std::optional<std::vector<std::string>> missing() const;

  const MarkTally& marks() const { return marks_; }
  const CountSums& fault_kinds() const { return fault_kinds_; }  // configured, and effects
  const CountSums& obligations() const { return obligations_; }  // of oracles
  const DeterminismSums& determinism() const { return determinism_; }

  std::uint64_t runs_of_tier(photon::analysis::RunTier tier) const {
    return runs_of_tier_[static_cast<std::size_t>(tier)];
  }

  // All figures that add up over runs, by name.
  const std::map<std::string, MetricSum, std::less<>>& metrics() const { return metrics_; }
  // Merged histograms of latency; empty for generated configurations.
  const LatencySums& latencies() const { return latencies_; }
  // A count over all runs, by its name in RunRecord::metrics; 0 if no run had it.
  std::uint64_t sum(std::string_view metric) const;
  // The median over all complete runs; 0 if there are none.
  double median_cpu_seconds() const;

  // One JSON object on one line, without newline; a table for readers.
  std::string json(const CampaignFrame& frame) const;
  std::string text(const CampaignFrame& frame) const;

 private:
  struct Share {  // of one scenario
    std::string name{};
    std::uint64_t runs = 0;
    std::uint64_t failed = 0;
  };

  bool fits(const photon::analysis::RunRecord& run) const;
  void add_metrics(const photon::analysis::RunRecord& run);
  void add_corner_cases(const photon::analysis::RunRecord& run);
  void add_findings(const photon::analysis::RunRecord& run);
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
  std::string obligation_table() const;
  std::string cost_lines(const CampaignFrame& frame) const;
  std::string events_line() const;
  std::string latency_tables() const;
  // Also those that were configured and had no effect.
  EffectsByKind effects_by_kind() const;
  double cpu_seconds() const;

  std::vector<Share> shares_;
  SharesByTier shares_by_tier_{};
  std::uint64_t runs_ = 0;
  std::uint64_t not_stationary_ = 0;
  std::pair<std::pair<std::size_t, std::uint64_t>, std::string> first_bound_by_{};
  std::uint64_t counting_ = 0;  // of them: runs that count corner cases
  std::map<std::string, MetricSum, std::less<>> metrics_{};
  Pooling pooling_;
  std::string numbered_;
  LatencySums latencies_{};
  std::vector<CountSum> corner_cases_;  // in the order of corner_rows
  MarkTally marks_{};
  CountSums fault_kinds_{};
  CountSums obligations_{};
  EffectsByKind effects_{};
  std::array<std::uint64_t, photon::analysis::kRunTierNames.size()> runs_of_tier_{};
  std::map<std::string, BrokenAssumption, std::less<>> breaks_{};
  RunsByOracle exempt_{};  // runs over tolerance with findings that their tier exempts
  DeterminismSums determinism_{};
  std::uint64_t events_ = 0;
  std::uint64_t sim_milliseconds_ = 0;
  std::vector<std::uint64_t> cpu_microseconds_{};  // of each run
  std::vector<std::pair<std::uint64_t, std::uint64_t>> events_by_seed_{};
  std::map<std::pair<std::size_t, std::uint64_t>, photon::analysis::RunRecord> failures_{};
};

}  // namespace photonsim::campaigns
