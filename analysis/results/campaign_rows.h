// The rows of a campaign in a results file, for the files of this folder that read and write them.
//
// They are sealed as a chain: each run's seal is a digest of its values and of the seal before it,
// and the row of the campaign says how many runs there are and which seal is the last; it has a
// seal of its own. So a value that changed is noticed, and so is a run that is missing, wherever it
// stood.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "analysis/results/campaign_store.h"
#include "analysis/results/result_database.h"

namespace photon::analysis {

// Columns of campaign_run in their order.
enum class RunColumn : std::uint8_t {
  campaign,
  number,
  scenario,
  seed,
  exit_code,
  verdict,
  what,
  replay,
  fingerprint,
  events,
  sim_milliseconds,
  cpu_microseconds,
  record,
  seal,
};
constexpr int operator+(RunColumn column) { return static_cast<int>(column); }

// Of all values of `row` but the last, which is the place of its seal.
std::string seal_of(const Statement& row, const std::string& before);

// Brings the seal of the campaign's own row into line with its other values; false: an error.
bool seal_campaign(sqlite3* database, const std::string& key);

// What a campaign is by its row, and its fault: empty if the row is as it was saved.
struct CampaignRow {
  StoredCampaign campaign{};
  std::string last_seal{};
  std::string fault{};
};
// Of the row that `SELECT *` gives.
CampaignRow campaign_row(const Statement& row);

// Hands the rows of its runs to `take`, in the order in which they were saved, each as soon as it
// is proven. Returns what is not as it was saved, and stops there; or nothing.
std::string walk_runs(sqlite3* database, const CampaignRow& campaign,
                      const std::function<void(const Statement& row)>& take);

}  // namespace photon::analysis
