#include "analysis/result_store.h"

#include <chrono>

#include <fmt/format.h>

#include "analysis/result_database.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

namespace {

// How long to wait for other programs that write the same file; each holds it for milliseconds.
constexpr std::chrono::milliseconds kPatience = std::chrono::seconds(60);

constexpr const char* kSchema = R"sql(
CREATE TABLE IF NOT EXISTS run (
  key TEXT PRIMARY KEY, scenario TEXT NOT NULL, seed TEXT NOT NULL, model_version TEXT NOT NULL,
  fingerprint TEXT NOT NULL, resolved_scenario TEXT NOT NULL, summary_json TEXT NOT NULL,
  violations INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS metric (
  run TEXT NOT NULL REFERENCES run(key) ON DELETE CASCADE, name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS histogram (
  run TEXT NOT NULL REFERENCES run(key) ON DELETE CASCADE, name TEXT NOT NULL,
  count INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS violation (
  run TEXT NOT NULL REFERENCES run(key) ON DELETE CASCADE, number INTEGER NOT NULL,
  oracle TEXT NOT NULL, severity TEXT NOT NULL, at_ns INTEGER NOT NULL, node INTEGER, event TEXT,
  message TEXT NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS loss (
  run TEXT NOT NULL REFERENCES run(key) ON DELETE CASCADE, number INTEGER NOT NULL,
  click TEXT NOT NULL, class TEXT NOT NULL, token TEXT, registered_at_ns INTEGER, node INTEGER,
  life INTEGER, crashed_at_ns INTEGER, evidence TEXT NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fault (
  run TEXT NOT NULL REFERENCES run(key) ON DELETE CASCADE, number INTEGER NOT NULL,
  description TEXT NOT NULL, at_ns INTEGER NOT NULL, effective INTEGER NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checkpoint (
  run TEXT NOT NULL REFERENCES run(key) ON DELETE CASCADE, number INTEGER NOT NULL,
  at_ns INTEGER NOT NULL, events INTEGER NOT NULL, fingerprint TEXT NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS manifest (
  run TEXT NOT NULL REFERENCES run(key) ON DELETE CASCADE, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seal (
  run TEXT PRIMARY KEY REFERENCES run(key) ON DELETE CASCADE, rows INTEGER NOT NULL,
  digest TEXT NOT NULL) WITHOUT ROWID;
)sql";

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

using Metrics = std::vector<std::pair<std::string, double>>;

// The count alone where nothing was measured.
void add_latency(Metrics& metrics, const std::string& name, const LatencyFigures& figures) {
  metrics.emplace_back(name + ".count", static_cast<double>(figures.count));
  if (figures.count == 0) return;
  metrics.emplace_back(name + ".mean", figures.mean);
  metrics.emplace_back(name + ".p50", figures.p50);
  metrics.emplace_back(name + ".p90", figures.p90);
  metrics.emplace_back(name + ".p99", figures.p99);
  metrics.emplace_back(name + ".p999", figures.p999);
  metrics.emplace_back(name + ".min", figures.min);
  metrics.emplace_back(name + ".max", figures.max);
}

void add_counts(Metrics& metrics, const std::string& group, const Counts& counts) {
  for (const auto& [name, count] : counts) {
    metrics.emplace_back(group + name, static_cast<double>(count));
  }
}

// Of a registry-only load; nothing where there is none.
void add_load(Metrics& metrics, const LoadFigures& load) {
  if (load.operations == 0) return;
  metrics.emplace_back("load.operations", static_cast<double>(load.operations));
  metrics.emplace_back("load.answered", static_cast<double>(load.answered));
  metrics.emplace_back("load.abandoned", static_cast<double>(load.abandoned));
  metrics.emplace_back("load.seconds", load.seconds);
  metrics.emplace_back("load.transactions_per_second", load.transactions_per_second);
  metrics.emplace_back("load.mean_batch", load.mean_batch);
  add_counts(metrics, "load.codes.", load.codes);
  add_latency(metrics, "load.insert_latency", load.insert_latency);
  add_latency(metrics, "load.lookup_latency", load.lookup_latency);
}

// Wall time and memory are no results: the same run gives the same metrics.
Metrics metrics_of(const Summary& s) {
  const auto real = [](std::uint64_t value) { return static_cast<double>(value); };
  Metrics metrics{{"events", real(s.events)},
                  {"records", real(s.records)},
                  {"sim_seconds", s.sim_seconds},
                  {"generated", real(s.generated)},
                  {"joinable", real(s.joinable)},
                  {"joined", real(s.joined)},
                  {"duplicates", real(s.duplicates)},
                  {"output_copies", real(s.output_copies)},
                  {"borderline", real(s.borderline)},
                  {"pending", real(s.pending)},
                  {"wasted_joins", real(s.wasted_joins)},
                  {"work.clicks_read", real(s.work.clicks_read)},
                  {"work.join_requests", real(s.work.join_requests)},
                  {"work.query_lookups", real(s.work.query_lookups)},
                  {"work.query_log_lookups", real(s.work.query_log_lookups)},
                  {"registry.transactions", real(s.registry.transactions)},
                  {"registry.mean_batch", s.registry.mean_batch},
                  {"registry.lookups", real(s.registry.lookups)},
                  {"registry.insert_attempts", real(s.registry.insert_attempts)},
                  {"registry.insert_requests", real(s.registry.insert_requests)},
                  {"registry.elections", real(s.registry.elections)},
                  {"registry.failovers", real(s.registry.failovers)},
                  {"registry.lost_replies", real(s.registry.lost_replies)},
                  {"registry.snapshots", real(s.registry.snapshots)},
                  {"registry.restorations", real(s.registry.restorations)},
                  {"registry.disks_replaced", real(s.registry.disks_replaced)},
                  {"registry.disks_admitted", real(s.registry.disks_admitted)},
                  {"registry.reshards", real(s.registry.reshards)},
                  {"registry.reshards_cancelled", real(s.registry.reshards_cancelled)},
                  {"registry.overloaded", real(s.registry.overloaded)},
                  {"registry.future_inserts", real(s.registry.future_inserts)},
                  {"crashes.processes", real(s.process_crashes)},
                  {"crashes.joiners", real(s.joiner_crashes)},
                  {"stopped_in_order", real(s.processes_stopped)},
                  {"joiner_crashes.window", real(s.joiner_ends.window)},
                  {"joiner_crashes.window_max", real(s.joiner_ends.window_max)},
                  {"joiner_crashes.lost", real(s.joiner_ends.lost)},
                  {"joiner_crashes.returned", real(s.joiner_ends.returned)},
                  {"joiner_crashes.lost_max", real(s.joiner_ends.lost_max)},
                  {"faults.configured", real(s.faults_configured)},
                  {"faults.effective", real(s.faults_effective)},
                  {"undecided_ids", real(s.undecided_ids)},
                  {"violations", real(s.violations_total)}};
  add_counts(metrics, "network.", s.network);
  add_counts(metrics, "storage.", s.storage);
  add_counts(metrics, "unnamed_events.", s.unnamed);
  add_counts(metrics, "lost.", s.lost);
  add_counts(metrics, "never_joinable.", s.never_joinable);
  add_counts(metrics, "corner_cases.", s.corner_cases);
  add_load(metrics, s.load);
  add_latency(metrics, "latency_seconds", s.latency);
  add_latency(metrics, "latency_at_output", s.latency_at_output);
  add_latency(metrics, "latency_biased", s.latency_biased);
  for (const auto& [name, figures] : s.stages) add_latency(metrics, "stages." + name, figures);
  add_latency(metrics, "registry.insert_latency", s.registry.insert_latency);
  add_latency(metrics, "registry.commit_latency", s.registry.commit_latency);
  return metrics;
}

bool save_metrics(sqlite3* database, const RunResult& run, const std::string& key) {
  Statement metric(database, "INSERT OR REPLACE INTO metric VALUES (?, ?, ?)");
  if (!metric.prepared()) return false;
  for (const auto& [name, value] : metrics_of(run.summary)) {
    if (!metric.bind(key).bind(name).bind(value).run()) return false;
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

namespace {

// What a database holds, as seen by the transaction that is open, if one is.
struct Contents {
  int version = -1;
  int tables = -1;
  int own_tables = -1;  // those that every schema has
};

std::optional<FileError> read_contents(const std::string& file, sqlite3* database,
                                       Contents& contents) {
  Statement pragma(database, "PRAGMA user_version");
  if (pragma.step() != SQLITE_ROW) return error_of(file, database);
  contents.version = pragma.integer(0);
  Statement count(database, "SELECT count(*) FROM sqlite_schema");
  if (count.step() != SQLITE_ROW) return error_of(file, database);
  contents.tables = count.integer(0);
  Statement own(database, "SELECT count(*) FROM sqlite_schema WHERE name IN ('run', 'metric')");
  if (own.step() != SQLITE_ROW) return error_of(file, database);
  contents.own_tables = own.integer(0);
  return std::nullopt;
}

std::optional<FileError> refuse_foreign(const std::string& file, const Contents& contents) {
  const auto& [version, tables, own_tables] = contents;
  if (version > kResultStoreVersion) {
    return FileError{file,
                     fmt::format("it was written by a newer photonsim (schema {}, known {})",
                                 version, kResultStoreVersion),
                     "use that photonsim or choose another file"};
  }
  if (tables > 0 && (version == 0 || own_tables < 2)) {
    return FileError{file, "it is a database of another program", "choose another file"};
  }
  return std::nullopt;
}

// SQLite does not wait for the lock under which a file changes to WAL, whatever the busy time-out:
// several programs that open one new file at once take turns here.
bool use_wal(sqlite3* database) {
  constexpr std::chrono::milliseconds kPause{5};
  for (auto waited = kPause; !execute(database, "PRAGMA journal_mode = WAL"); waited += kPause) {
    const int code = sqlite3_errcode(database) & 0xff;
    if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) || waited > kPatience) return false;
    sqlite3_sleep(static_cast<int>(kPause.count()));
  }
  return true;
}

// Inside a transaction that holds the write lock: makes what the file does not have of the schema.
std::optional<FileError> make_schema(const std::string& file, sqlite3* database) {
  // Another program may have made the schema, or filled the file, since it was looked at.
  Contents contents;
  if (auto error = read_contents(file, database, contents)) return error;
  if (auto error = refuse_foreign(file, contents)) return error;
  const std::string mark = fmt::format("PRAGMA user_version = {}", kResultStoreVersion);
  const bool made = contents.version == kResultStoreVersion || execute(database, kSchema);
  // The mark is written again each time: a file that cannot be written says so now, not after the
  // run.
  if (!made || !execute(database, mark.c_str()) || !execute(database, "COMMIT")) {
    return error_of(file, database);
  }
  return std::nullopt;
}

// Makes the schema in an empty file, or what an older one has not; refuses, and leaves as it is,
// what it does not know.
std::optional<FileError> prepare(const std::string& file, sqlite3* database) {
  Contents contents;
  if (auto error = read_contents(file, database, contents)) return error;
  if (auto error = refuse_foreign(file, contents)) return error;
  if (!use_wal(database) || !execute(database, "PRAGMA foreign_keys = ON") ||
      !execute(database, "BEGIN IMMEDIATE")) {
    return error_of(file, database);
  }
  auto error = make_schema(file, database);
  if (error) execute(database, "ROLLBACK");
  return error;
}

}  // namespace

Result<ResultStore, FileError> ResultStore::open(const std::string& file) {
  auto state = std::make_unique<State>();
  state->file = file;
  sqlite3* raw = nullptr;
  const int opened =
      sqlite3_open_v2(file.c_str(), &raw,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  state->database.reset(raw);
  if (raw == nullptr) return FileError{file, "no memory for a database", "free some memory"};
  if (opened != SQLITE_OK) return error_of(file, raw);
  sqlite3_busy_timeout(raw, static_cast<int>(kPatience.count()));
  if (auto error = prepare(file, raw)) return *error;
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
