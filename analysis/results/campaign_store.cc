#include "analysis/results/campaign_store.h"

#include <bit>
#include <charconv>
#include <optional>
#include <string_view>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "analysis/reports/verdict.h"
#include "analysis/results/campaign_rows.h"
#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

namespace json = boost::json;

std::string text_of(const std::vector<std::string>& list) {
  return json::serialize(json::array(list.begin(), list.end()));
}

std::optional<RunRecord> run_of(const Statement& row) {
  return decode_record(row.blob(+RunColumn::record));
}

std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// Adds runs at the end of a campaign's chain, inside a transaction.
class Appender {
 public:
  Appender(sqlite3* database, const std::string& key)
      : database_(database),
        key_(key),
        insert_(database,
                "INSERT INTO campaign_run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '') "
                "ON CONFLICT (campaign, scenario, seed) WHERE verdict <> 'worker died' DO NOTHING"),
        select_(database, "SELECT * FROM campaign_run WHERE campaign = ? AND number = ?"),
        seal_(database, "UPDATE campaign_run SET seal = ? WHERE campaign = ? AND number = ?") {}

  // Each returns false after an error of the database.
  bool start() {
    Statement row(database_, "SELECT runs, last_seal FROM campaign WHERE key = ?");
    if (!row.prepared() || row.bind(key_).step() != SQLITE_ROW) return false;
    runs_ = row.whole(0);
    last_seal_ = row.text(1);
    return insert_.prepared() && select_.prepared() && seal_.prepared();
  }

  bool add(const RunRecord& run) {
    const std::int64_t number = runs_ + 1;
    insert_.bind(key_).bind(number).bind(signed_of(run.scenario)).bind(std::to_string(run.seed));
    insert_.bind(std::int64_t{run.exit_code})
        .bind(run.end == RunEnd::died ? kDied.name : verdict_name(run.exit_code));
    insert_.bind(run.what);
    insert_.bind(run.replay).bind(run.fingerprint).bind(signed_of(run.events));
    insert_.bind(signed_of(run.sim_milliseconds));
    insert_.bind(signed_of(run.cpu_microseconds));
    Bytes record;
    encode_record(run, record);
    if (!insert_.bind_blob(record).run()) return false;
    if (sqlite3_changes(database_) == 0) return true;  // it was there
    if (select_.bind(key_).bind(number).step() != SQLITE_ROW) return false;
    last_seal_ = seal_of(select_, last_seal_);
    select_.reset();
    runs_ = number;
    return seal_.bind(last_seal_).bind(key_).bind(number).run();
  }

  bool finish() {
    Statement update(database_, "UPDATE campaign SET runs = ?, last_seal = ? WHERE key = ?");
    return update.prepared() && update.bind(runs_).bind(last_seal_).bind(key_).run() &&
           seal_campaign(database_, key_);
  }

 private:
  sqlite3* database_;
  const std::string& key_;
  std::int64_t runs_ = 0;
  std::string last_seal_{};
  Statement insert_, select_, seal_;
};

// Unless it is there.
bool insert_campaign(sqlite3* database, const CampaignIdentity& identity, const std::string& key) {
  Statement insert(database, "INSERT OR IGNORE INTO campaign VALUES (?, ?, ?, ?, ?, 0, '', '')");
  if (!insert.prepared()) return false;
  insert.bind(key).bind(text_of(identity.names)).bind(text_of(identity.scenarios));
  insert.bind(identity.self_check).bind(identity.model_version);
  if (!insert.run()) return false;
  return sqlite3_changes(database) == 0 || seal_campaign(database, key);
}

bool append_runs(sqlite3* database, const CampaignIdentity& identity,
                 std::span<const RunRecord> runs) {
  const std::string key = identity.key();
  if (!insert_campaign(database, identity, key)) return false;
  Appender appender(database, key);
  if (!appender.start()) return false;
  for (const RunRecord& run : runs) {
    if (!appender.add(run)) return false;
  }
  return appender.finish();
}

FileError damaged(const std::string& file, const std::string& key, const std::string& fault) {
  return {file, fmt::format("it is damaged: campaign {}: {}", key, fault),
          "choose another file, or take this campaign out and run it again",
          removal_of_campaign(key)};
}

}  // namespace

std::string removal_of_campaign(std::string_view key) {
  std::string text;  // of a damaged campaign it may be anything
  for (const char each : key) text += each == '\'' ? std::string("''") : std::string(1, each);
  return fmt::format("PRAGMA foreign_keys = on; DELETE FROM campaign WHERE key = '{}'", text);
}

std::string CampaignIdentity::key() const {
  Bytes bytes;
  Encoder encode(bytes);
  encode(scenarios, std::bit_cast<std::uint64_t>(self_check), model_version);
  return fmt::format("{:016x}", hash_bytes(bytes));
}

struct CampaignStore::State {
  std::string file;
  Database database;

  FileError error() const { return error_of(file, database.get()); }
};

CampaignStore::CampaignStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
CampaignStore::CampaignStore(CampaignStore&&) noexcept = default;
CampaignStore& CampaignStore::operator=(CampaignStore&&) noexcept = default;
CampaignStore::~CampaignStore() = default;

Result<CampaignStore, FileError> CampaignStore::open(const std::string& file) {
  auto database = open_results(file);
  if (!database) return std::move(database).assume_error();
  return CampaignStore(std::make_unique<State>(State{file, std::move(database).assume_value()}));
}

Result<std::vector<StoredCampaign>, FileError> CampaignStore::campaigns() const {
  Statement row(state_->database.get(), "SELECT * FROM campaign ORDER BY key");
  std::vector<StoredCampaign> found;
  int step = row.step();
  for (; step == SQLITE_ROW; step = row.step()) {
    CampaignRow campaign = campaign_row(row);
    if (!campaign.fault.empty()) {
      return damaged(state_->file, campaign.campaign.key, campaign.fault);
    }
    found.push_back(std::move(campaign.campaign));
  }
  if (step != SQLITE_DONE) return state_->error();
  return found;
}

Result<void, FileError> CampaignStore::read(const std::string& key,
                                            const std::function<void(RunRecord run)>& take) const {
  sqlite3* const database = state_->database.get();
  Statement row(database, "SELECT * FROM campaign WHERE key = ?");
  if (!row.prepared()) return state_->error();
  // As long as `row` is not stepped on, all is read from one state of the file.
  const int step = row.bind(key).step();
  if (step == SQLITE_DONE) return boost::outcome_v2::success();
  if (step != SQLITE_ROW) return state_->error();
  const CampaignRow campaign = campaign_row(row);
  std::string fault = campaign.fault;
  bool readable = true;
  if (fault.empty()) {
    fault = walk_runs(database, campaign, [&](const Statement& each) {
      auto run = run_of(each);
      readable = readable && run;
      if (readable) take(*std::move(run));
    });
  }
  if (fault.empty() && !readable) fault = "a run of it is not written as this program writes them";
  if (!fault.empty()) return damaged(state_->file, key, fault);
  return boost::outcome_v2::success();
}

Result<void, FileError> CampaignStore::append(const CampaignIdentity& campaign,
                                              std::span<const RunRecord> runs) {
  sqlite3* const database = state_->database.get();
  if (execute(database, "BEGIN IMMEDIATE") && append_runs(database, campaign, runs) &&
      execute(database, "COMMIT")) {
    return boost::outcome_v2::success();
  }
  FileError why = state_->error();
  execute(database, "ROLLBACK");
  return why;
}

}  // namespace photon::analysis
