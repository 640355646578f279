#include "analysis/results/result_store.h"

#include <fmt/format.h>

#include "analysis/results/histogram_row.h"
#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/run_rows.h"
#include "analysis/results/study_rows.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

namespace {

std::int64_t whole(std::uint64_t value) { return static_cast<std::int64_t>(value); }

bool save_losses(sqlite3* database, const RunResult& run, std::int64_t id) {
  Statement row(database, "INSERT INTO loss VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!row.prepared()) return false;
  std::int64_t number = 0;
  for (const Loss& loss : run.summary.losses) {
    const bool registered = !loss.token.is_empty();
    const bool sent = !loss.process.empty();
    row.bind(id).bind(number++).bind(describe(loss.click)).bind(name_of(loss.cause));
    row.bind(registered ? std::optional(describe(loss.token)) : std::nullopt);
    row.bind(registered ? std::optional(nanoseconds_of(loss.registered_at)) : std::nullopt);
    row.bind(sent ? std::optional(loss.process) : std::nullopt);
    row.bind(sent ? std::optional(std::int64_t{loss.life.value()}) : std::nullopt);
    row.bind(loss.crashed_at != kNever ? std::optional(nanoseconds_of(loss.crashed_at))
                                       : std::nullopt);
    if (!row.bind(loss.evidence).run()) return false;
  }
  return true;
}

bool save_faults(sqlite3* database, const RunResult& run, std::int64_t id) {
  Statement fault(database, "INSERT INTO fault VALUES (?, ?, ?, ?, ?)");
  if (!fault.prepared()) return false;
  for (const FaultRow& row : run.faults) {
    fault.bind(id).bind(std::int64_t{row.number}).bind(row.description).bind(row.at_nanoseconds);
    if (!fault.bind(std::int64_t{row.effective ? 1 : 0}).run()) return false;
  }
  return true;
}

bool save_checkpoints(sqlite3* database, const RunResult& run, std::int64_t id) {
  Statement checkpoint(database, "INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)");
  if (!checkpoint.prepared()) return false;
  std::int64_t number = 0;
  for (const Checkpoint& row : run.checkpoints) {
    checkpoint.bind(id).bind(number++).bind(row.at_nanoseconds).bind(whole(row.events));
    if (!checkpoint.bind(row.fingerprint).run()) return false;
  }
  Statement manifest(database, "INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)");
  if (!manifest.prepared()) return false;
  for (const auto& [name, value] : run.manifest) {
    if (!manifest.bind(id).bind(name).bind(value).run()) return false;
  }
  return true;
}

bool save_summary(sqlite3* database, const RunResult& run, std::int64_t id) {
  Statement summary(database, "INSERT INTO summary VALUES (?, ?)");
  return summary.prepared() && summary.bind(id).bind(to_json(run.summary)).run();
}

// Removes a run of that key from its study, if there is one. False: an error.
bool remove_run(sqlite3* database, const std::string& key, StudyRow& study) {
  Statement found(database,
                  "SELECT run.id, run.seal FROM run JOIN point ON point.id = run.point WHERE "
                  "run.key = ? AND point.study = ?");
  if (!found.prepared()) return false;
  const int step = found.bind(key).bind(study.key).step();
  if (step != SQLITE_ROW) return step == SQLITE_DONE;
  const std::int64_t id = found.whole(0);
  study.digest -= seal_number(found.text(1));
  --study.runs;
  found.reset();
  Statement remove(database, "DELETE FROM run WHERE id = ?");
  return remove.prepared() && remove.bind(id).run();
}

// The study of all runs of that model version, existing or new.
std::optional<StudyRow> study_of(sqlite3* database, const RunResult& run) {
  std::optional<StudyRow> study;
  const std::string key = key_of_runs(run.model_version);
  if (!read_study(database, key, study)) return std::nullopt;
  if (study) return study;
  study = StudyRow{key, std::string(kRunKind), 0, run.model_version};
  return write_study(database, *study) ? study : std::nullopt;
}

// The point of that scenario, existing or new.
std::optional<std::int64_t> point_of(sqlite3* database, const RunResult& run, StudyRow& study) {
  Statement row(database,
                "SELECT id FROM point WHERE study = ? AND scenario = ? AND text = ? ORDER BY id");
  if (!row.prepared()) return std::nullopt;
  row.bind(study.key).bind(run.summary.scenario);
  const int step = row.bind(run.resolved_scenario).step();
  if (step == SQLITE_ROW) return row.whole(0);
  if (step != SQLITE_DONE) return std::nullopt;
  const auto point = add_point(database, study, run.summary.scenario, run.resolved_scenario);
  return point ? std::optional(point->id) : std::nullopt;
}

RunRecord record_of(const RunResult& run) {
  RunRecord record = run.record ? *run.record : run_record_of(run.summary, run.histograms);
  record.seed = run.summary.seed;
  return record;
}

std::int64_t next_number(sqlite3* database, const std::string& study) {
  Statement row(database,
                "SELECT max(run.number) FROM run JOIN point ON point.id = run.point WHERE "
                "point.study = ?");
  return row.prepared() && row.bind(study).step() == SQLITE_ROW ? row.whole(0) + 1 : 1;
}

bool save_run(sqlite3* database, const RunResult& run, const std::string& key) {
  auto study = study_of(database, run);
  if (!study || !remove_run(database, key, *study)) return false;
  const auto point = point_of(database, run, *study);
  if (!point) return false;
  RunWriter writer(database);
  const auto id = writer.add({*point, next_number(database, study->key), key}, record_of(run),
                             run.summary.violations);
  if (!id || *id == RunWriter::kThere) return false;
  if (!save_summary(database, run, *id) || !save_losses(database, run, *id) ||
      !save_faults(database, run, *id) || !save_checkpoints(database, run, *id)) {
    return false;
  }
  const auto seal = writer.seal(*id);
  if (!seal) return false;
  ++study->runs;
  study->digest += *seal;
  return write_study(database, *study);
}

}  // namespace

std::string run_key(std::string_view resolved_scenario, std::uint64_t seed,
                    std::string_view model_version) {
  std::uint64_t key = hash_bytes(std::as_bytes(std::span(resolved_scenario)));
  key = combine(key, seed);
  key = combine(key, hash_bytes(std::as_bytes(std::span(model_version))));
  return fmt::format("{:016x}", key);
}

std::vector<std::pair<std::string, LatencyHistogram>> histograms_of(const Judge& judge) {
  std::vector<std::pair<std::string, LatencyHistogram>> list;
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    list.emplace_back("stages." + std::string(name_of(stage)), judge.latency().stage(stage));
  }
  list.emplace_back("latency_seconds", judge.latency().total());
  list.emplace_back("latency_at_output", judge.latency().at_output());
  list.emplace_back("latency_biased", judge.latency().biased());
  list.emplace_back("registry.insert_latency", judge.counters().insert_latency);
  return list;
}

struct ResultStore::State {
  std::string file;
  Database database;
};

ResultStore::ResultStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultStore::ResultStore(ResultStore&&) noexcept = default;
ResultStore& ResultStore::operator=(ResultStore&&) noexcept = default;
ResultStore::~ResultStore() = default;

Result<ResultStore, FileError> ResultStore::open(const std::string& file) {
  auto database = open_results(file);
  if (!database) return std::move(database).assume_error();
  auto state = std::make_unique<State>();
  state->file = file;
  state->database = std::move(database).assume_value();
  return ResultStore(std::move(state));
}

Result<void, FileError> ResultStore::save(const RunResult& run) {
  sqlite3* database = state_->database.get();
  const std::string key = run.key();
  const bool saved = execute(database, "BEGIN IMMEDIATE") && save_run(database, run, key) &&
                     execute(database, "COMMIT");
  if (saved) return boost::outcome_v2::success();
  FileError error = error_of(state_->file, database);
  execute(database, "ROLLBACK");
  return error;
}

// Closing moves the log into the file as well, but reports nothing if it fails.
Result<void, FileError> ResultStore::gather() {
  Statement checkpoint(state_->database.get(), "PRAGMA wal_checkpoint(TRUNCATE)");
  if (checkpoint.step() != SQLITE_ROW) return error_of(state_->file, state_->database.get());
  if (checkpoint.integer(0) == 0) return boost::outcome_v2::success();
  return FileError{state_->file, "another program is using it", "wait for it"};
}

Result<bool, FileError> ResultStore::contains(const std::string& key) const {
  Statement select(state_->database.get(), "SELECT 1 FROM run WHERE key = ?");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  const int row = select.bind(key).step();
  if (row != SQLITE_ROW && row != SQLITE_DONE) {
    return error_of(state_->file, state_->database.get());
  }
  return row == SQLITE_ROW;
}

Result<std::vector<std::string>, FileError> ResultStore::keys() const {
  Statement select(state_->database.get(), "SELECT key FROM run ORDER BY key");
  std::vector<std::string> keys;
  int row = select.step();
  for (; row == SQLITE_ROW; row = select.step()) keys.push_back(select.text(0));
  if (row != SQLITE_DONE) return error_of(state_->file, state_->database.get());
  return keys;
}

Result<std::optional<std::string>, FileError> ResultStore::summary_json(
    const std::string& key) const {
  Statement select(state_->database.get(),
                   "SELECT json FROM summary JOIN run ON run.id = summary.run WHERE key = ?");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  const int row = select.bind(key).step();
  if (row == SQLITE_ROW) return std::optional(select.text(0));
  if (row != SQLITE_DONE) return error_of(state_->file, state_->database.get());
  return std::optional<std::string>();
}

Result<std::vector<StoredRun>, FileError> ResultStore::runs() const {
  Statement select(
      state_->database.get(),
      "SELECT key, scenario, seed FROM run JOIN point ON point.id = run.point ORDER BY key");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  std::vector<StoredRun> result;
  int row = select.step();
  for (; row == SQLITE_ROW; row = select.step()) {
    result.push_back({select.text(0), select.text(1), select.text(2)});
  }
  if (row != SQLITE_DONE) return error_of(state_->file, state_->database.get());
  return result;
}

Result<std::vector<std::pair<std::string, double>>, FileError> ResultStore::metrics(
    const std::string& key) const {
  Statement select(state_->database.get(),
                   "SELECT name, value FROM metric WHERE run = (SELECT id FROM run WHERE key = ?) "
                   "ORDER BY name");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  std::vector<std::pair<std::string, double>> result;
  int row = select.bind(key).step();
  for (; row == SQLITE_ROW; row = select.step()) {
    result.emplace_back(select.text(0), select.real(1));
  }
  if (row != SQLITE_DONE) return error_of(state_->file, state_->database.get());
  return result;
}

Result<std::optional<double>, FileError> ResultStore::metric(const std::string& key,
                                                             const std::string& name) const {
  Statement select(
      state_->database.get(),
      "SELECT value FROM metric WHERE run = (SELECT id FROM run WHERE key = ?) AND name = ?");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  const int row = select.bind(key).bind(name).step();
  if (row == SQLITE_ROW) return std::optional(select.real(0));
  if (row != SQLITE_DONE) return error_of(state_->file, state_->database.get());
  return std::optional<double>();
}

Result<std::optional<LatencyHistogram>, FileError> ResultStore::histogram(
    const std::string& key, const std::string& name) const {
  Statement select(state_->database.get(),
                   "SELECT count, min_ns, max_ns, sum_ns, buckets FROM histogram WHERE run = "
                   "(SELECT id FROM run WHERE key = ?) AND name = ?");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  const int row = select.bind(key).bind(name).step();
  if (row != SQLITE_ROW && row != SQLITE_DONE) {
    return error_of(state_->file, state_->database.get());
  }
  if (row == SQLITE_DONE) return std::optional<LatencyHistogram>();
  const auto bytes = histogram_bytes(
      {select.whole(0), select.whole(1), select.whole(2), select.text(3), select.text(4)});
  auto histogram = bytes ? LatencyHistogram::from_bytes(*bytes) : std::nullopt;
  if (!histogram) {
    return FileError{state_->file, "histogram '" + name + "' of run " + key + " is damaged",
                     "run it again"};
  }
  return histogram;
}

}  // namespace photon::analysis
