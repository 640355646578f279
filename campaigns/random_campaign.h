// A campaign over a range of seeds: takes from the results file what is known, does the rest in the
// pool, adds all up and keeps what is new.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "campaigns/plan.h"
#include "campaigns/results_file.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/listener.h"

namespace photonsim::campaigns {

class RandomCampaign {
 public:
  using End = photon::analysis::CampaignFrame::End;

  RandomCampaign(CampaignPlan plan, ResultsFile& results, Listener& listener);

  // Adds up what the results file has of the plan already. False: the file cannot be read, and why
  // is known to it.
  [[nodiscard]] bool recall();
  // Until all runs have ended, the time is over, or it has to stop.
  void carry_out();

  End end() const { return end_; }
  // The worst that a run came to, as an exit code.
  int verdict() const { return verdict_; }
  // Of the campaign itself, when it did not come to its end.
  int error_code() const { return error_code_; }
  const std::vector<std::string>& errors() const { return errors_; }
  const std::string& replay() const { return replay_; }  // of a run that cannot be done; or empty
  const CampaignPlan& plan() const { return plan_; }
  const photon::analysis::CampaignSum& sum() const { return sum_; }
  std::uint64_t recalled() const { return recalled_; }  // runs that the results file had
  // All that has ended is in the results file.
  bool is_kept() const { return kept_; }
  // Runs whose process had died before, and what became of them when they were done again.
  const std::vector<std::string>& died_before() const { return deaths_; }
  // Runs that were ended because the time was over: they count as not run.
  const std::vector<std::uint64_t>& cut_off() const { return cut_off_; }

  // Fewer runs than were asked for, and no failure that ended it on purpose.
  bool is_incomplete() const;

  // The failures that a minimization can say more about, one of each cause first, at most so many.
  std::vector<std::uint64_t> runs_to_minimize(std::uint64_t most) const;

 private:
  bool is_going_on() const { return end_ == End::complete || end_ == End::ended_early; }
  bool is_enough() const;
  std::optional<std::uint64_t> next();
  void take(std::uint64_t number, RunResult result);
  std::string replay_of(std::uint64_t number, const photon::analysis::RunRecord& run) const;
  void keep(std::uint64_t number, photon::analysis::RunRecord run);
  void add(photon::analysis::RunRecord run);
  void note_end(std::uint64_t number, int exit_code);
  void tell_deaths();
  void save();
  void conclude(RunPool::End end);
  void fail(int code, std::vector<std::string> why, std::string replay = {});
  void show_progress();

  struct DiedBefore {
    photon::analysis::RunRecord death{};
    std::optional<int> end{};  // the exit code of the run when it was done again
  };

  CampaignPlan plan_;
  ResultsFile& results_;
  Listener& listener_;
  RunPool* pool_ = nullptr;   // while it is at work
  std::vector<bool> done_{};  // runs whose results are known; empty: none
  std::uint64_t next_ = 0;
  std::uint64_t recalled_ = 0;
  std::map<std::uint64_t, DiedBefore> died_before_{};  // by the number of the run
  std::vector<std::string> deaths_{};
  std::vector<std::uint64_t> cut_off_{};
  bool kept_;
  photon::analysis::CampaignSum sum_;
  End end_ = End::complete;
  int error_code_ = 0;
  std::vector<std::string> errors_{};
  std::string replay_{};
  int verdict_ = 0;
  WallClock::time_point began_ = WallClock::now();
};

}  // namespace photonsim::campaigns
