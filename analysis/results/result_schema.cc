#include "analysis/results/result_schema.h"

#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "analysis/results/result_store.h"

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
CREATE TABLE IF NOT EXISTS campaign (
  key TEXT PRIMARY KEY, names TEXT NOT NULL, scenarios TEXT NOT NULL, self_check REAL NOT NULL,
  model_version TEXT NOT NULL, runs INTEGER NOT NULL,
  last_seal TEXT NOT NULL, seal TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS campaign_run (
  campaign TEXT NOT NULL REFERENCES campaign(key) ON DELETE CASCADE, number INTEGER NOT NULL,
  scenario INTEGER NOT NULL, seed TEXT NOT NULL, exit_code INTEGER NOT NULL, verdict TEXT NOT NULL,
  what TEXT NOT NULL, replay TEXT NOT NULL, fingerprint TEXT NOT NULL, events INTEGER NOT NULL,
  sim_milliseconds INTEGER NOT NULL, cpu_microseconds INTEGER NOT NULL, record BLOB NOT NULL,
  seal TEXT NOT NULL,
  PRIMARY KEY (campaign, number));
CREATE UNIQUE INDEX IF NOT EXISTS campaign_run_end
  ON campaign_run (campaign, scenario, seed) WHERE verdict <> 'worker died';
)sql";

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
  if (version > 0 && version < kResultStoreVersion && own_tables == 2)
    return too_old(file, version);
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

// Makes the schema in an empty file; refuses, and leaves as it is, what it does not know.
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

FileError too_old(const std::string& file, int schema) {
  return {file,
          fmt::format("it was written by an older photonsim (schema {}), and this one reads schema "
                      "{} alone",
                      schema, kResultStoreVersion),
          "read it with that photonsim, or run again into another file"};
}

Result<Database, FileError> open_results(const std::string& file) {
  sqlite3* raw = nullptr;
  const int opened =
      sqlite3_open_v2(file.c_str(), &raw,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw);
  if (raw == nullptr) return FileError{file, "no memory for a database", "free some memory"};
  if (opened != SQLITE_OK) return error_of(file, raw);
  sqlite3_busy_timeout(raw, static_cast<int>(kPatience.count()));
  if (auto error = prepare(file, raw)) return *error;
  return database;
}

}  // namespace photon::analysis
