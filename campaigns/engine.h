// The engine of every campaign: reads known results from the results file, does the other runs in
// the pool, adds all up and saves the new results. A strategy (strategy.h) chooses the runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "campaigns/plan.h"
#include "campaigns/results_file.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/listener.h"
#include "campaigns/strategy.h"

namespace photonsim::campaigns {

class CampaignEngine {
 public:
  using End = CampaignFrame::End;

  CampaignEngine(CampaignPlan plan, ResultsFile& results, Listener& listener);

  // Adds up the runs of the plan that the results file has; none if the strategy learns, because it
  // needs every run. False: the file cannot be read; its error() says why.
  [[nodiscard]] bool load_results();
  // Returns when all runs have ended, the time is over, or the campaign is stopped.
  void run();

  End end() const { return end_; }
  // The worst exit code of a run.
  int verdict() const { return verdict_; }
  // The exit code of the campaign itself if it did not complete.
  int error_code() const { return error_code_; }
  const std::vector<std::string>& errors() const { return errors_; }
  // Of a run whose record was rejected; or empty.
  const std::string& replay() const { return replay_; }
  const CampaignPlan& plan() const { return plan_; }
  const CampaignSum& sum() const { return sum_; }
  std::uint64_t loaded() const { return loaded_; }  // runs taken from the results file
  // All results are in the results file, and the same command does the other runs.
  bool can_resume() const { return kept_ && !strategy_->learns(); }
  const Strategy& strategy() const { return *strategy_; }
  // Runs whose process had died in an earlier campaign, with the outcome of their rerun.
  const std::vector<std::string>& died_before() const { return deaths_; }
  // Runs that the deadline ended: they count as not run.
  const std::vector<std::uint64_t>& cut_off() const { return cut_off_; }

  // Runs that missed a gate, by the gate: how many, and the first by its number.
  struct Misses {
    std::uint64_t runs = 0;
    std::uint64_t first = 0;  // seed
    std::string why{};        // of the first
    std::string replay{};
  };
  const std::map<std::string, Misses>& misses() const { return misses_; }

  // Fewer runs than requested, and no failure ended it early by request.
  bool is_incomplete() const;

  // At most `most` failures that a minimization applies to, one of each cause first.
  std::vector<std::uint64_t> runs_to_minimize(std::uint64_t most) const;

 private:
  bool is_going_on() const { return end_ == End::complete || end_ == End::ended_early; }
  // By the results alone: the failure that ends the campaign, or the limit of events.
  bool has_seen_enough() const;
  bool is_enough() const;  // also by time
  RunPool::End run_round(std::uint64_t runs);
  std::optional<std::uint64_t> next();
  void take(std::uint64_t number, RunResult result);
  void take_held();
  void take_in_order(std::uint64_t number, RunResult result);
  std::string replay_of(std::uint64_t number, const photon::analysis::RunRecord& run) const;
  void keep(std::uint64_t number, photon::analysis::RunRecord run);
  void add(photon::analysis::RunRecord run);
  void check_gates(const photon::analysis::RunRecord& run);
  void note_end(std::uint64_t number, int exit_code);
  void report_deaths();
  void save();
  void conclude(RunPool::End end);
  void fail(int code, std::vector<std::string> why, std::string replay = {});
  void show_progress();

  struct DiedBefore {
    photon::analysis::RunRecord death{};
    std::optional<int> end{};  // exit code of the rerun
  };

  CampaignPlan plan_;
  std::unique_ptr<Strategy> strategy_;
  ResultsFile& results_;
  Listener& listener_;
  RunPool* pool_ = nullptr;   // while it runs
  std::vector<bool> done_{};  // runs whose results are known; empty: none
  std::uint64_t next_ = 0;
  std::uint64_t round_end_ = 0;                // the first run after the current round
  std::map<std::uint64_t, RunResult> held_{};  // of this round, for a strategy that learns
  std::uint64_t stopping_ = 0;                 // failures that end the campaign if fail_fast
  std::uint64_t loaded_ = 0;
  std::map<std::uint64_t, DiedBefore> died_before_{};  // by the number of the run
  std::vector<std::string> deaths_{};
  std::vector<std::uint64_t> cut_off_{};
  std::map<std::string, Misses> misses_{};
  bool kept_;
  CampaignSum sum_;
  End end_ = End::complete;
  int error_code_ = 0;
  std::vector<std::string> errors_{};
  std::string replay_{};
  int verdict_ = 0;
  WallClock::time_point began_ = WallClock::now();
};

}  // namespace photonsim::campaigns
