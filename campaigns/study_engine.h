// Runs a study: the replications of all its points in the pool of worker processes, until each
// interval is narrow enough or its replications are used up.
//
// Results are kept in the results file; the same study continues where a killed program stopped.
// The order of runs does not change what the study reports.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/pool/run_pool.h"
#include "campaigns/results_file.h"
#include "campaigns/runs/listener.h"
#include "campaigns/share.h"
#include "campaigns/studies/study_plan.h"

namespace photonsim::campaigns {

class StudyEngine {
 public:
  // `share`: a study with targets of precision does its least replications in shares; the study
  // as a whole, with the merged results, does the others.
  StudyEngine(StudyPlan plan, PoolLimits limits, ResultsFile& results, Listener& listener,
              Share share = {});

  // Takes the runs of the plan that the results file has. False: its error() says why not.
  [[nodiscard]] bool load_results();
  // Returns when all is done, or a stop request or an error ends it.
  void run();

  // Of a search (study_search.h), between calls of run(): more points, and more replications of
  // points whose first ones led the search to them. Only the new ones of these count.
  // False: error() says why not.
  [[nodiscard]] bool grow(const std::vector<Choice>& choices);
  void confirm(const std::vector<std::size_t>& points);
  // By how they were chosen; none before confirm().
  const std::vector<std::size_t>& confirmed() const { return confirmed_; }
  // Replications of a point that count, in their order.
  std::span<const std::optional<photon::analysis::RunRecord>> counted(std::size_t point) const;

  const StudyPlan& plan() const { return plan_; }
  // By point, in the order of replications; complete runs and failed ones, those too that led a
  // search to the point.
  const std::vector<std::vector<std::optional<photon::analysis::RunRecord>>>& runs() const {
    return runs_;
  }
  // Runs that the results file had, those too that wait for a search to choose their points.
  std::uint64_t loaded() const;
  std::uint64_t done() const { return done_; }
  // Replications that each point needs as far as is known.
  const std::vector<std::uint64_t>& wanted() const { return wanted_; }
  bool is_complete() const { return complete_; }
  const Share& share() const { return share_; }
  // A share was asked for, and all its runs are done.
  bool share_is_done() const { return share_done_; }
  // Of the program, if it did not complete; else 0.
  int error_code() const { return error_code_; }
  const std::string& error() const { return error_; }

 private:
  void take(std::uint64_t number, RunResult result);
  void keep(std::uint64_t number, photon::analysis::RunRecord run);
  bool has(std::uint64_t number) const;
  bool is_planned(std::uint64_t seed) const;
  // Of a search: the results file keeps its runs under the points that it has now, of which those
  // from `fresh` on are new. False: an error.
  bool follow(std::size_t fresh);
  void add_points();  // those of the plan that are new to the engine
  void want(std::size_t point, std::uint64_t replications);
  std::vector<std::uint64_t> missing() const;
  // Asks for more replications where a precision is not reached; false: nowhere.
  bool extend();
  void save();
  bool progress_is_due();
  void show_progress();

  StudyPlan plan_;
  PoolLimits limits_;
  ResultsFile& results_;
  Listener& listener_;
  Share share_;
  bool share_done_ = false;
  std::vector<std::size_t> confirmed_{};
  // Of a search that goes on: stored runs of points that it has not chosen yet, by their numbers.
  std::map<std::uint32_t, std::vector<photon::analysis::RunRecord>> ahead_{};
  std::vector<std::vector<std::optional<photon::analysis::RunRecord>>> runs_{};
  std::vector<std::uint64_t> wanted_{};
  std::vector<double> costs_{};   // of one run of each point, roughly, in core seconds
  std::uint64_t all_wanted_ = 0;  // the sum of wanted_, and what these runs cost
  double wanted_work_ = 0;
  WallClock::time_point shown_{};  // when progress was shown
  RunPool* pool_ = nullptr;
  std::uint64_t loaded_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t failed_ = 0;
  double done_work_ = 0;  // costs of the runs that are done; of those that were loaded
  double loaded_work_ = 0;
  bool complete_ = false;
  int error_code_ = 0;
  std::string error_{};
};

}  // namespace photonsim::campaigns
