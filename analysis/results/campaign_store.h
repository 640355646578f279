// Campaigns in a results file: a study each, with one row for each run that was completed, and one
// for each time that the process of a run died (docs/results_schema.md).
//
// A campaign is identified by the inputs that decide the results of its runs, not by its number of
// seeds or of processes: a campaign with the same inputs finds the existing runs and need not
// repeat them. Invariants: runs are saved in transactions of some runs each, so a program that is
// killed loses at most the unsaved ones; saved runs are never changed; each run proves itself, and
// the campaign proves that none is missing (study_rows.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/run_record.h"
#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

struct CampaignIdentity {
  std::vector<std::string> names{};      // of its scenarios, for reports; not part of the key
  std::vector<std::string> scenarios{};  // the whole text of each; of the swarm its options
  double self_check = 0;                 // the share of runs that are repeated
  std::string model_version{};

  std::string key() const;  // 16 hexadecimal digits
};

struct StoredCampaign {
  std::string key{};
  CampaignIdentity identity{};
  std::uint64_t runs = 0;
};

// The SQL that removes a campaign from a results file.
std::string removal_of_campaign(std::string_view key);

class CampaignStore {
 public:
  // As ResultStore::open.
  static Result<CampaignStore, FileError> open(const std::string& file);

  CampaignStore(CampaignStore&&) noexcept;
  CampaignStore& operator=(CampaignStore&&) noexcept;
  ~CampaignStore();

  // By key, ascending.
  Result<std::vector<StoredCampaign>, FileError> campaigns() const;
  // Passes the runs to `take` in the order in which they were saved; none if there is no such
  // campaign. An error if the campaign is not as it was saved: then what was taken is void.
  Result<void, FileError> read(const std::string& key,
                               const std::function<void(RunRecord run)>& take) const;

  // All of them or, with an error, none; existing ones are left as they are. A run whose process
  // died may be there several times, and may be completed later. Requires runs of the scenarios
  // of `campaign`.
  Result<void, FileError> append(const CampaignIdentity& campaign, std::span<const RunRecord> runs);

 private:
  struct State;
  explicit CampaignStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
