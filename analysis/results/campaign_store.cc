#include "analysis/results/campaign_store.h"

#include <bit>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/run_rows.h"
#include "analysis/results/study_rows.h"
#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

// The number of the run in the campaign, whatever its outcome.
std::string key_of_run(const std::string& campaign, const RunRecord& run) {
  Bytes bytes;
  Encoder encode(bytes);
  encode(campaign, run.scenario, run.seed);
  return seal_text(hash_bytes(bytes));
}

// The study of the campaign with a point for each of its scenarios, existing or new.
std::optional<StudyRow> study_of(sqlite3* database, const CampaignIdentity& identity) {
  std::optional<StudyRow> study;
  const std::string key = identity.key();
  if (!read_study(database, key, study)) return std::nullopt;
  if (study) return study;
  study = StudyRow{key, std::string(kCampaignKind), identity.self_check, identity.model_version};
  if (!write_study(database, *study)) return std::nullopt;
  for (std::size_t i = 0; i < identity.scenarios.size(); ++i) {
    const std::string name = i < identity.names.size() ? identity.names[i] : std::string();
    if (!add_point(database, *study, name, identity.scenarios[i])) return std::nullopt;
  }
  return study;
}

// Adds those runs that are not there.
bool append_runs(sqlite3* database, const CampaignIdentity& identity,
                 std::span<const RunRecord> runs) {
  auto study = study_of(database, identity);
  std::vector<PointRow> points;
  if (!study || !read_points(database, study->key, points)) return false;
  RunWriter writer(database);
  for (const RunRecord& run : runs) {
    PHOTON_CHECK(run.scenario < points.size(), "a run is of one of the campaign's scenarios");
    const NewRun place{points[run.scenario].id, study->runs + 1, key_of_run(study->key, run)};
    const auto id = writer.add(place, run);
    if (!id) return false;
    if (*id == RunWriter::kThere) continue;
    const auto seal = writer.seal(*id);
    if (!seal) return false;
    ++study->runs;
    study->digest += *seal;
  }
  return write_study(database, *study);
}

// The identity of the campaign, from its rows.
bool read_identity(sqlite3* database, const StudyRow& study, StoredCampaign& campaign) {
  campaign.key = study.key;
  campaign.runs = static_cast<std::uint64_t>(study.runs);
  campaign.identity.self_check = study.self_check;
  campaign.identity.model_version = study.model_version;
  std::vector<PointRow> points;
  if (!read_points(database, study.key, points)) return false;
  for (PointRow& each : points) {
    campaign.identity.names.push_back(std::move(each.scenario));
    campaign.identity.scenarios.push_back(std::move(each.text));
  }
  return true;
}

FileError damaged(const std::string& file, const std::string& key, const std::string& fault) {
  return {file, fmt::format("it is damaged: campaign {}: {}", key, fault),
          "choose another file, or take this campaign out and run it again",
          removal_of_campaign(key)};
}

}  // namespace

std::string removal_of_campaign(std::string_view key) {
  std::string text;  // if the campaign is damaged it may be anything
  for (const char each : key) text += each == '\'' ? std::string("''") : std::string(1, each);
  return fmt::format("PRAGMA foreign_keys = on; DELETE FROM study WHERE key = '{}'", text);
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
  sqlite3* const database = state_->database.get();
  Statement row(database, "SELECT * FROM study WHERE kind = ? ORDER BY key");
  if (!row.prepared()) return state_->error();
  std::vector<StoredCampaign> found;
  int step = row.bind(kCampaignKind).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    const StudyRow study = study_row(row);
    if (!study.fault.empty()) return damaged(state_->file, study.key, study.fault);
    if (!read_identity(database, study, found.emplace_back())) return state_->error();
  }
  if (step != SQLITE_DONE) return state_->error();
  return found;
}

Result<void, FileError> CampaignStore::read(const std::string& key,
                                            const std::function<void(RunRecord run)>& take) const {
  sqlite3* const database = state_->database.get();
  Statement row(database, "SELECT * FROM study WHERE key = ?");
  if (!row.prepared()) return state_->error();
  // Until `row` is stepped again, everything is read from one state of the file.
  const int step = row.bind(key).step();
  if (step == SQLITE_DONE) return boost::outcome_v2::success();
  if (step != SQLITE_ROW) return state_->error();
  const StudyRow study = study_row(row);
  const std::string fault =
      walk_study(database, study, [&](const PointRow& point, const RunPlace& place) {
        if (!place.fault.empty()) return place.fault;
        auto run = read_record(database, place.id);
        if (!run) return std::string("a run of it is not written as this program writes them");
        run->scenario = static_cast<std::uint32_t>(point.number);
        take(*std::move(run));
        return std::string();
      });
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
