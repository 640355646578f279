// The results file of a campaign (fuzz --out): known results, and the new ones to add.
//
// Rows are saved together after at most about kPause; a killed program loses only those. The file
// records that the process of a run died; as the machine may be the cause, the next campaign
// repeats the run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/result_store.h"
#include "campaigns/plan.h"
#include "campaigns/runs/clocks.h"

namespace photonsim::campaigns {

// Everything that determines the results of its runs.
photon::analysis::CampaignIdentity identity_of(const CampaignPlan& plan);

class ResultsFile {
 public:
  // For a campaign without a results file.
  ResultsFile() = default;

  // Opens or creates the file. False: error() says why.
  [[nodiscard]] bool open(const std::string& file, photon::analysis::CampaignIdentity identity);
  bool keeps() const { return store_.has_value(); }
  // A note on the most similar other campaign in the file; empty if there is none.
  const std::string& about_others() const { return about_others_; }
  // Hands each stored run of this campaign to `take`, planned or not. False: error() says why, and
  // what was taken is void.
  bool read(const std::function<void(photon::analysis::RunRecord run)>& take);

  // What grow() has made of the present campaign.
  enum class Growth : std::uint8_t {
    unchanged,  // it begins with these points
    extended,   // it has these points now, and its runs are where they were
    adopted,    // another stored one takes its place, with other runs: read() them
  };
  // Of a study that finds its points one after the other: goes on as the stored study that begins
  // with these points and has the most; if there is none, the present one gets the new points. One
  // that has other points already stays, and its runs of the same points are copied. All waiting
  // rows must be saved. Nothing: error() says why.
  std::optional<Growth> grow(photon::analysis::CampaignIdentity identity);
  std::string key() const { return identity_.key(); }  // of the present campaign in the file
  const std::string& model_version() const { return identity_.model_version; }

  void add(const photon::analysis::RunRecord& run);
  bool due() const { return !waiting_.empty() && Clock::now() - saved_ >= kPause; }
  // Saves all waiting rows. False: error() says why, none of them was saved, and nothing
  // more will be.
  bool save();

  // Keeps what is known before the runs, until it is concluded. False: error() says why.
  bool announce(std::string outcome);
  // Keeps what was concluded from all runs (study_report.h), unless the file has more points than
  // the present plan: then what was concluded from those stays. False: error() says why.
  bool conclude(const std::string& outcome);

  const std::string& error() const { return error_; }  // its cause and its remedy

 private:
  using Clock = WallClock;
  static constexpr auto kPause = std::chrono::seconds(1);

  bool refuse(photon::analysis::FileError error);
  // The stored campaign is a longer search: what it concluded stays.
  bool is_longer() const { return planned_ < identity_.points.size(); }

  std::string named_{};  // the file name as the user gave it
  photon::analysis::CampaignIdentity identity_{};
  std::size_t planned_ = 0;  // points of the present plan; identity_ may have more
  std::optional<photon::analysis::ResultStore> store_{};  // nothing: no results file
  std::string announced_{};
  std::vector<photon::analysis::RunRecord> waiting_{};
  Clock::time_point saved_ = Clock::now();
  std::string error_{};
  std::string about_others_{};
};

}  // namespace photonsim::campaigns
