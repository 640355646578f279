// The results file: one SQLite database with the runs of campaigns and of `run --out` (DESIGN 7).
// docs/results_schema.md documents the schema.
//
// Invariants: runs are saved in transactions, so a program that is killed leaves each run whole or
// not at all, and loses at most those of the transaction under way; WAL mode; several programs may
// write one file and take turns, also when it is new to all of them; `user_version` says which
// schema it is. A campaign's runs are never changed: a campaign with the same inputs finds them
// and need not repeat them. Of `run --out`, the hash of (point, seed, model version) is the key of
// a run, and saving the same key again replaces that run. Each run proves itself, and its study
// proves that none is missing (study_rows.h). Every error is a value that names the file, the cause
// and a remedy.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/run_details.h"
#include "analysis/results/run_record.h"
#include "analysis/results/study.h"
#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

// The SQL that removes a campaign from a results file.
std::string removal_of_campaign(std::string_view key);

class ResultStore {
 public:
  // Opens for writing, creating the file (not its directory). Checks at once that it can be
  // written. Never deletes a file, not even one that it created in vain: another program may have
  // opened it since.
  static Result<ResultStore, FileError> open(const std::string& file);

  ResultStore(ResultStore&&) noexcept;
  ResultStore& operator=(ResultStore&&) noexcept;
  ~ResultStore();

  // By key, ascending.
  Result<std::vector<StoredCampaign>, FileError> campaigns() const;
  // Passes the runs of a campaign to `take` in the order in which they were saved; none if there is
  // no such campaign. An error if the campaign is not as it was saved: then what was taken is void.
  Result<void, FileError> read(const std::string& campaign,
                               const std::function<void(RunRecord run)>& take) const;
  // All of them or, with an error, none; existing ones are left as they are. A run whose process
  // died may be there several times, and may be completed later. Requires runs of the points of
  // `campaign`.
  // `outcome` replaces what was concluded without them; nothing: that stays.
  Result<void, FileError> append(const CampaignIdentity& campaign, std::span<const RunRecord> runs,
                                 const std::optional<std::string>& outcome = std::string());

  // The stored campaign that begins with all points of `first`: the one with the key `preferred`,
  // else the one with the most points; nothing: none does. Points without parameters.
  Result<std::optional<CampaignIdentity>, FileError> longest_from(
      const CampaignIdentity& first, const std::string& preferred) const;
  // A study that has more points now. If it begins with all points of `from`, the stored study gets
  // the new ones and its new key: no run is written, so the cost does not grow with the runs.
  // Otherwise, or if another program has stored `to` meanwhile, the runs of the points that both
  // have are copied to it. With an error nothing changes.
  enum class Continued : std::uint8_t { in_place, by_copies };
  Result<Continued, FileError> continue_as(const CampaignIdentity& from, const CampaignIdentity& to,
                                           const std::string& outcome = {});

  // What its program concludes from all runs of the campaign, as text; a run that is appended later
  // removes it.
  Result<void, FileError> conclude(const CampaignIdentity& campaign, const std::string& outcome);

  // A run of `run --out`; replaces a run of the same key.
  Result<void, FileError> save(const RunDetails& run);

  // Moves all saved rows into the one file, which is then complete: SQLite's log beside it is
  // empty. Only if no other program uses the file.
  Result<void, FileError> gather();

  // Rows that were inserted, changed or deleted through this object, for tests of its work.
  std::int64_t rows_written() const;

 private:
  struct State;
  Result<void, FileError> copy_runs(const CampaignIdentity& from, const CampaignIdentity& to,
                                    std::size_t common, const std::string& outcome);
  explicit ResultStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
