// Campaigns in a results file: a study each, with one run for each run that came to an end, and one
// for each time that the process of a run died (docs/results_schema.md).
//
// A campaign is known by what decides the results of its runs, not by how many seeds were asked for
// or how many processes were at work: whoever asks for the same one again finds the runs that are
// there and need not do them again. Invariants: runs are saved in transactions of some runs each,
// so a program that is killed loses at most those it had not saved yet; runs that are there are
// never changed; each proves itself, and the campaign that none is missing (study_rows.h).
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
  std::vector<std::string> names{};      // of its scenarios, for people; not part of the key
  std::vector<std::string> scenarios{};  // the whole text of each; of the swarm its options
  double self_check = 0;                 // the share of runs that are done twice
  std::string model_version{};

  std::string key() const;  // 16 hexadecimal digits
};

struct StoredCampaign {
  std::string key{};
  CampaignIdentity identity{};
  std::uint64_t runs = 0;
};

// The SQL that takes a campaign out of a results file.
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
  // Hands the runs to `take` in the order in which they were saved; none if there is no such
  // campaign. An error if the campaign is not as it was saved: then what was taken is void.
  Result<void, FileError> read(const std::string& key,
                               const std::function<void(RunRecord run)>& take) const;

  // All of them or, with an error, none; those that are there already are left as they are. A run
  // whose process died may be there several times, and may come to an end later. Requires runs of
  // the scenarios of `campaign`.
  Result<void, FileError> append(const CampaignIdentity& campaign, std::span<const RunRecord> runs);

 private:
  struct State;
  explicit CampaignStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
