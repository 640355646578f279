#include "analysis/results/result_store.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "analysis/results/campaign_rows.h"
#include "analysis/results/details_rows.h"
#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/run_rows.h"
#include "analysis/results/study_rows.h"

namespace photon::analysis {
namespace {

FileError damaged(const std::string& file, const std::string& key, const std::string& fault) {
  return {file, fmt::format("it is damaged: campaign {}: {}", key, fault),
          "choose another file, or take this campaign out and run it again",
          removal_of_campaign(key)};
}

// Whether the stored study begins with these points. The last differs first where two searches
// have the same first points. Nothing: an error.
std::optional<bool> begins_with(sqlite3* database, const std::string& study,
                                const std::vector<Point>& points) {
  Statement row(database, "SELECT text FROM point WHERE study = ? AND number = ?");
  if (!row.prepared()) return std::nullopt;
  for (std::size_t i = points.size(); i-- > 0;) {
    const int step = row.bind(study).bind(static_cast<std::int64_t>(i)).step();
    if (step != SQLITE_ROW && step != SQLITE_DONE) return std::nullopt;
    if (step == SQLITE_DONE || row.text(0) != points[i].text) return false;
    row.reset();
  }
  return true;
}

}  // namespace

std::string removal_of_campaign(std::string_view key) {
  std::string text;  // if the campaign is damaged it may be anything
  for (const char each : key) text += each == '\'' ? std::string("''") : std::string(1, each);
  return fmt::format("PRAGMA foreign_keys = on; DELETE FROM study WHERE key = '{}'", text);
}

struct ResultStore::State {
  std::string file;
  Database database;

  sqlite3* get() const { return database.get(); }
  FileError error() const { return error_of(file, get()); }

  // Calls `write` in a transaction, which takes place whole or, with an error, not at all.
  template <class Write>
  Result<void, FileError> transact(const Write& write) {
    if (execute(get(), "BEGIN IMMEDIATE") && write(get()) && execute(get(), "COMMIT")) {
      return boost::outcome_v2::success();
    }
    FileError why = error();
    execute(get(), "ROLLBACK");
    return why;
  }
};

ResultStore::ResultStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultStore::ResultStore(ResultStore&&) noexcept = default;
ResultStore& ResultStore::operator=(ResultStore&&) noexcept = default;
ResultStore::~ResultStore() = default;

Result<ResultStore, FileError> ResultStore::open(const std::string& file) {
  auto database = open_results(file);
  if (!database) return std::move(database).assume_error();
  return ResultStore(std::make_unique<State>(State{file, std::move(database).assume_value()}));
}

Result<std::vector<StoredCampaign>, FileError> ResultStore::campaigns() const {
  sqlite3* const database = state_->get();
  Statement row(database, "SELECT * FROM study WHERE kind = ? ORDER BY key");
  if (!row.prepared()) return state_->error();
  std::vector<StoredCampaign> found;
  int step = row.bind(kCampaignKind).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    const StudyRow study = study_row(row);
    if (!study.fault.empty()) return damaged(state_->file, study.key, study.fault);
    if (!read_campaign(database, study, found.emplace_back())) return state_->error();
  }
  if (step != SQLITE_DONE) return state_->error();
  return found;
}

Result<void, FileError> ResultStore::read(const std::string& key,
                                          const std::function<void(RunRecord run)>& take) const {
  sqlite3* const database = state_->get();
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

Result<void, FileError> ResultStore::append(const CampaignIdentity& campaign,
                                            std::span<const RunRecord> runs,
                                            const std::optional<std::string>& outcome) {
  return state_->transact(
      [&](sqlite3* database) { return append_runs(database, campaign, runs, outcome); });
}

Result<std::optional<CampaignIdentity>, FileError> ResultStore::longest_from(
    const CampaignIdentity& first, const std::string& preferred) const {
  sqlite3* const database = state_->get();
  Statement row(database,
                "SELECT * FROM study WHERE kind = ? AND self_check = ? AND model_version = ? AND "
                "points >= ? ORDER BY key = ? DESC, points DESC, key");
  if (!row.prepared()) return state_->error();
  row.bind(kCampaignKind).bind(first.self_check).bind(first.model_version);
  int step = row.bind(static_cast<std::int64_t>(first.points.size())).bind(preferred).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    const StudyRow study = study_row(row);
    if (!study.fault.empty()) return damaged(state_->file, study.key, study.fault);
    const auto starts = begins_with(database, study.key, first.points);
    if (!starts) return state_->error();
    if (!*starts) continue;
    StoredCampaign campaign;
    if (!read_campaign(database, study, campaign)) return state_->error();
    return std::optional(std::move(campaign.identity));
  }
  if (step != SQLITE_DONE) return state_->error();
  return std::optional<CampaignIdentity>();
}

Result<ResultStore::Continued, FileError> ResultStore::continue_as(const CampaignIdentity& from,
                                                                   const CampaignIdentity& to,
                                                                   const std::string& outcome) {
  const auto [common, other] =
      std::ranges::mismatch(from.points, to.points, {}, &Point::text, &Point::text);
  if (common == from.points.end() && from.key() != to.key()) {
    std::optional<StudyRow> there;
    std::string fault;
    const auto done = state_->transact([&](sqlite3* database) {
      if (!read_study(database, to.key(), there)) return false;
      return there || extend_study(database, from, to, outcome, fault);
    });
    if (!fault.empty()) return damaged(state_->file, from.key(), fault);
    if (!done) return done.assume_error();
    if (!there) return Continued::in_place;
  }
  auto copied =
      copy_runs(from, to, static_cast<std::size_t>(common - from.points.begin()), outcome);
  if (!copied) return std::move(copied).assume_error();
  return Continued::by_copies;
}

Result<void, FileError> ResultStore::copy_runs(const CampaignIdentity& from,
                                               const CampaignIdentity& to, std::size_t common,
                                               const std::string& outcome) {
  std::vector<RunRecord> runs;
  auto done = read(from.key(), [&](RunRecord run) {
    if (run.scenario < common) runs.push_back(std::move(run));
  });
  if (!done) return done;
  const std::string removal = removal_of_campaign(from.key());
  return state_->transact([&](sqlite3* database) {
    if (!append_runs(database, to, runs, outcome)) return false;
    return common < from.points.size() || execute(database, removal.c_str());
  });
}

std::int64_t ResultStore::rows_written() const { return sqlite3_total_changes64(state_->get()); }

Result<void, FileError> ResultStore::conclude(const CampaignIdentity& campaign,
                                              const std::string& outcome) {
  return state_->transact(
      [&](sqlite3* database) { return write_outcome(database, campaign, outcome); });
}

Result<void, FileError> ResultStore::save(const RunDetails& run) {
  return state_->transact([&](sqlite3* database) { return save_run(database, run); });
}

// Closing moves the log into the file as well, but reports nothing if it fails.
Result<void, FileError> ResultStore::gather() {
  Statement checkpoint(state_->get(), "PRAGMA wal_checkpoint(TRUNCATE)");
  if (checkpoint.step() != SQLITE_ROW) return state_->error();
  if (checkpoint.integer(0) == 0) return boost::outcome_v2::success();
  return FileError{state_->file, "another program is using it", "wait for it"};
}

}  // namespace photon::analysis
