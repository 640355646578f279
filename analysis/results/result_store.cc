#include "analysis/results/result_store.h"

#include <fmt/format.h>

#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/run_record.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

namespace {

std::int64_t whole(std::uint64_t value) { return static_cast<std::int64_t>(value); }

bool save_run(sqlite3* database, const RunResult& run, const std::string& key) {
  Statement remove(database, "DELETE FROM run WHERE key = ?");
  if (!remove.prepared() || !remove.bind(key).run()) return false;
  Statement insert(database, "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const Summary& summary = run.summary;
  return insert.prepared() && insert.bind(key)
                                  .bind(summary.scenario)
                                  .bind(std::to_string(summary.seed))
                                  .bind(run.model_version)
                                  .bind(summary.fingerprint)
                                  .bind(run.resolved_scenario)
                                  .bind(to_json(summary))
                                  .bind(whole(summary.violations_total))
                                  .run();
}

bool save_metrics(sqlite3* database, const RunResult& run, const std::string& key) {
  Statement metric(database, "INSERT OR REPLACE INTO metric VALUES (?, ?, ?)");
  if (!metric.prepared()) return false;
  for (const Metric& each : metrics_of(run.summary)) {
    if (!metric.bind(key).bind(each.name).bind(each.value).run()) return false;
  }
  Statement histogram(database, "INSERT OR REPLACE INTO histogram VALUES (?, ?, ?, ?)");
  if (!histogram.prepared()) return false;
  for (const auto& [name, data] : run.histograms) {
    histogram.bind(key).bind(name).bind(whole(data.count())).bind_blob(data.to_bytes());
    if (!histogram.run()) return false;
  }
  return true;
}

bool save_losses(sqlite3* database, const RunResult& run, const std::string& key) {
  Statement row(database, "INSERT INTO loss VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!row.prepared()) return false;
  std::int64_t number = 0;
  for (const Loss& loss : run.summary.losses) {
    const bool registered = !loss.token.is_empty();
    const bool sent = loss.node != kNoNode;
    row.bind(key).bind(number++).bind(describe(loss.click)).bind(name_of(loss.cause));
    row.bind(registered ? std::optional(describe(loss.token)) : std::nullopt);
    row.bind(registered ? std::optional(nanoseconds_of(loss.registered_at)) : std::nullopt);
    row.bind(sent ? std::optional(std::int64_t{loss.node.value()}) : std::nullopt);
    row.bind(sent ? std::optional(std::int64_t{loss.life.value()}) : std::nullopt);
    row.bind(loss.crashed_at != kNever ? std::optional(nanoseconds_of(loss.crashed_at))
                                       : std::nullopt);
    if (!row.bind(loss.evidence).run()) return false;
  }
  return true;
}

bool save_findings(sqlite3* database, const RunResult& run, const std::string& key) {
  Statement violation(database, "INSERT INTO violation VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  if (!violation.prepared()) return false;
  std::int64_t number = 0;
  for (const Violation& found : run.summary.violations) {
    violation.bind(key).bind(number++).bind(found.oracle);
    violation.bind(std::string_view(found.severity == Severity::safety ? "safety" : "liveness"));
    violation.bind(nanoseconds_of(found.at));
    violation.bind(found.node == kNoNode ? std::nullopt
                                         : std::optional(std::int64_t{found.node.value()}));
    violation.bind(found.event.is_null() ? std::nullopt : std::optional(describe(found.event)));
    if (!violation.bind(found.message).run()) return false;
  }
  Statement fault(database, "INSERT INTO fault VALUES (?, ?, ?, ?, ?)");
  if (!fault.prepared()) return false;
  for (const FaultRow& row : run.faults) {
    fault.bind(key).bind(std::int64_t{row.number}).bind(row.description).bind(row.at_nanoseconds);
    if (!fault.bind(std::int64_t{row.effective ? 1 : 0}).run()) return false;
  }
  return true;
}

bool save_checkpoints(sqlite3* database, const RunResult& run, const std::string& key) {
  Statement checkpoint(database, "INSERT INTO checkpoint VALUES (?, ?, ?, ?, ?)");
  if (!checkpoint.prepared()) return false;
  std::int64_t number = 0;
  for (const Checkpoint& row : run.checkpoints) {
    checkpoint.bind(key).bind(number++).bind(row.at_nanoseconds).bind(whole(row.events));
    if (!checkpoint.bind(row.fingerprint).run()) return false;
  }
  Statement manifest(database, "INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)");
  if (!manifest.prepared()) return false;
  for (const auto& [name, value] : run.manifest) {
    if (!manifest.bind(key).bind(name).bind(value).run()) return false;
  }
  return true;
}

// The last row of a run: says what the others are, so that a file can be proven whole.
bool save_seal(sqlite3* database, const std::string& key) {
  const auto contents = contents_of_run(database, key);
  Statement seal(database, "INSERT INTO seal VALUES (?, ?, ?)");
  return contents && seal.prepared() &&
         seal.bind(key).bind(contents->rows).bind(contents->digest).run();
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
                     save_metrics(database, run, key) && save_losses(database, run, key) &&
                     save_findings(database, run, key) && save_checkpoints(database, run, key) &&
                     save_seal(database, key) && execute(database, "COMMIT");
  if (saved) return boost::outcome_v2::success();
  FileError error = error_of(state_->file, database);
  execute(database, "ROLLBACK");
  return error;
}

// Closing moves the log into the file as well, but says nothing if it fails.
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
  Statement select(state_->database.get(), "SELECT summary_json FROM run WHERE key = ?");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  const int row = select.bind(key).step();
  if (row == SQLITE_ROW) return std::optional(select.text(0));
  if (row != SQLITE_DONE) return error_of(state_->file, state_->database.get());
  return std::optional<std::string>();
}

Result<std::vector<StoredRun>, FileError> ResultStore::runs() const {
  Statement select(state_->database.get(), "SELECT key, scenario, seed FROM run ORDER BY key");
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
                   "SELECT name, value FROM metric WHERE run = ? ORDER BY name");
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
  Statement select(state_->database.get(), "SELECT value FROM metric WHERE run = ? AND name = ?");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  const int row = select.bind(key).bind(name).step();
  if (row == SQLITE_ROW) return std::optional(select.real(0));
  if (row != SQLITE_DONE) return error_of(state_->file, state_->database.get());
  return std::optional<double>();
}

Result<std::optional<LatencyHistogram>, FileError> ResultStore::histogram(
    const std::string& key, const std::string& name) const {
  Statement select(state_->database.get(), "SELECT data FROM histogram WHERE run = ? AND name = ?");
  if (!select.prepared()) return error_of(state_->file, state_->database.get());
  const int row = select.bind(key).bind(name).step();
  if (row != SQLITE_ROW && row != SQLITE_DONE) {
    return error_of(state_->file, state_->database.get());
  }
  if (row == SQLITE_DONE) return std::optional<LatencyHistogram>();
  auto histogram = LatencyHistogram::from_bytes(select.blob(0));
  if (!histogram) {
    return FileError{state_->file, "histogram '" + name + "' of run " + key + " is damaged",
                     "run it again"};
  }
  return histogram;
}

}  // namespace photon::analysis
