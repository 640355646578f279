#include "analysis/results/campaign_rows.h"

#include <span>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

namespace json = boost::json;

// False if it is no JSON array of texts.
bool read_texts(const std::string& text, std::vector<std::string>& list) {
  boost::system::error_code error;
  const json::value parsed = json::parse(text, error);
  if (error || !parsed.is_array()) return false;
  for (const json::value& each : parsed.get_array()) {
    if (!each.is_string()) return false;
    list.emplace_back(each.get_string());
  }
  return true;
}

}  // namespace

std::string seal_of(const Statement& row, const std::string& before) {
  Bytes bytes;
  Encoder encode(bytes);
  encode(before);
  append_row(row, row.columns() - 1, bytes);
  return fmt::format("{:016x}", hash_bytes(bytes));
}

bool seal_campaign(sqlite3* database, const std::string& key) {
  Statement row(database, "SELECT * FROM campaign WHERE key = ?");
  if (!row.prepared() || row.bind(key).step() != SQLITE_ROW) return false;
  const std::string seal = seal_of(row, {});
  Statement update(database, "UPDATE campaign SET seal = ? WHERE key = ?");
  return update.prepared() && update.bind(seal).bind(key).run();
}

CampaignRow campaign_row(const Statement& row) {
  CampaignRow found;
  CampaignIdentity& identity = found.campaign.identity;
  found.campaign.key = row.text(0);
  identity.self_check = row.real(3);
  identity.model_version = row.text(4);
  found.campaign.runs = static_cast<std::uint64_t>(row.whole(5));
  found.last_seal = row.text(6);
  const bool readable =
      read_texts(row.text(1), identity.names) && read_texts(row.text(2), identity.scenarios);
  if (!readable || seal_of(row, {}) != row.text(7)) {
    found.fault = "a value of its own row is not the one that was saved";
  } else if (identity.key() != found.campaign.key) {
    found.fault = "its key is not that of its scenarios and model";
  }
  return found;
}

std::string walk_runs(sqlite3* database, const CampaignRow& campaign,
                      const std::function<void(const Statement& row)>& take) {
  Statement row(database, "SELECT * FROM campaign_run WHERE campaign = ? ORDER BY number");
  if (!row.prepared()) return "its runs cannot be read";
  std::string seal;
  std::uint64_t number = 0;
  int step = row.bind(campaign.campaign.key).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    ++number;
    if (row.whole(+RunColumn::number) != static_cast<std::int64_t>(number)) {
      return fmt::format("its run number {} is missing", number);
    }
    seal = seal_of(row, seal);
    if (seal != row.text(+RunColumn::seal)) {
      return fmt::format("a value of its run number {} is not the one that was saved", number);
    }
    take(row);
  }
  if (step != SQLITE_DONE) return "its runs cannot be read";
  if (number != campaign.campaign.runs) {
    return fmt::format("it has {} runs, and {} were saved", number, campaign.campaign.runs);
  }
  return seal == campaign.last_seal ? std::string() : "its last run is not the one that was saved";
}

}  // namespace photon::analysis
