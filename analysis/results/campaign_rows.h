// The rows of a campaign and of its runs, for the files of this folder.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/results/result_database.h"
#include "analysis/results/run_record.h"
#include "analysis/results/study.h"
#include "analysis/results/study_rows.h"

namespace photon::analysis {

// Adds those runs that are not there, inside a transaction; then `outcome` replaces what was
// concluded without them; nothing: that stays. False: an error of the database.
bool append_runs(sqlite3* database, const CampaignIdentity& identity,
                 std::span<const RunRecord> runs, const std::optional<std::string>& outcome);
// The stored study of `from` gets the points that `to` has after those of `from`, and its key,
// inside a transaction; no row of a run is written. Requires that `to` begins with all points of
// `from`, and is not stored. `fault` and false: as rename_study().
bool extend_study(sqlite3* database, const CampaignIdentity& from, const CampaignIdentity& to,
                  const std::string& outcome, std::string& fault);
// What was concluded from its runs, inside a transaction. False: an error of the database.
bool write_outcome(sqlite3* database, const CampaignIdentity& identity, const std::string& outcome);
// The campaign of that row. False: an error of the database.
bool read_campaign(sqlite3* database, const StudyRow& study, StoredCampaign& campaign);

}  // namespace photon::analysis
