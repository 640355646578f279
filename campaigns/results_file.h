// The results file of a campaign (fuzz --out): what it holds of the campaign already, and what is
// added to it.
//
// Rows wait in memory for at most about kPause and go into the file together: a program that is
// killed loses those alone. That the process of a run died is kept; but that may be the machine's
// fault, so the run is done again the next time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/campaign_store.h"
#include "campaigns/plan.h"
#include "campaigns/runs/clocks.h"

namespace photonsim::campaigns {

class ResultsFile {
 public:
  // Of a campaign that keeps nothing.
  ResultsFile() = default;

  // Opens the file, or makes it. False: the reason is in error().
  [[nodiscard]] bool open(const std::string& file, const CampaignPlan& plan);
  bool keeps() const { return store_.has_value(); }
  // A word about a campaign in the file that is almost this one; empty if there is none.
  const std::string& about_others() const { return about_others_; }
  // Hands each run that the file has of this campaign to `take`, whether the plan asks for it or
  // not. False: the reason is in error(), and what was taken is void.
  bool read(const std::function<void(photon::analysis::RunRecord run)>& take);

  void add(const photon::analysis::RunRecord& run);
  bool due() const { return !waiting_.empty() && Clock::now() - saved_ >= kPause; }
  // All that waits. False: the reason is in error(), nothing of it was saved, and nothing more will
  // be.
  bool save();

  const std::string& error() const { return error_; }  // its cause and its remedy

 private:
  using Clock = WallClock;
  static constexpr auto kPause = std::chrono::seconds(1);

  bool refuse(photon::analysis::FileError error);

  std::string wanted_{};  // the file, as the user said it
  photon::analysis::CampaignIdentity identity_{};
  std::optional<photon::analysis::CampaignStore> store_{};  // nothing: nothing is kept
  std::vector<photon::analysis::RunRecord> waiting_{};
  Clock::time_point saved_ = Clock::now();
  std::string error_{};
  std::string about_others_{};
};

}  // namespace photonsim::campaigns
