#include "analysis/results/result_schema.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace photon::analysis {
namespace {

// How long to wait for other programs that write the same file; each locks it for milliseconds.
constexpr std::chrono::milliseconds kWriterWait = std::chrono::seconds(60);

constexpr const char* kRemedyForOthers = "name one that --out of run, sweep or fuzz has written";

// Studies, their points and parameters, and the runs. docs/results_schema.md documents them.
constexpr std::string_view kRunColumns = "COLUMNS";  // stands for those of RunRecord::each_scalar
constexpr const char* kRunTables = R"sql(
CREATE TABLE study (
  key TEXT PRIMARY KEY, kind TEXT NOT NULL, self_check REAL NOT NULL, model_version TEXT NOT NULL,
  points INTEGER NOT NULL, runs INTEGER NOT NULL, digest TEXT NOT NULL, outcome TEXT NOT NULL,
  seal TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE point (
  id INTEGER PRIMARY KEY, study TEXT NOT NULL REFERENCES study(key) ON DELETE CASCADE,
  number INTEGER NOT NULL, scenario TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  seal TEXT NOT NULL,
  UNIQUE (study, number));
CREATE TABLE parameter (
  point INTEGER NOT NULL REFERENCES point(id) ON DELETE CASCADE, name TEXT NOT NULL,
  value TEXT NOT NULL, PRIMARY KEY (point, name)) WITHOUT ROWID;
CREATE TABLE run (
  id INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES point(id) ON DELETE CASCADE,
  number INTEGER NOT NULL, key TEXT NOT NULL, verdict TEXT NOT NULL, COLUMNS seal TEXT NOT NULL);
CREATE INDEX run_of_point ON run (point);
CREATE INDEX run_of_key ON run (key);
CREATE UNIQUE INDEX run_end ON run (key) WHERE ending <> 'died';
CREATE TABLE quantity (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, adding TEXT NOT NULL,
  UNIQUE (name, unit, adding));
CREATE TABLE metric_value (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  quantity INTEGER NOT NULL REFERENCES quantity(id), value REAL NOT NULL,
  PRIMARY KEY (run, quantity)) WITHOUT ROWID;
CREATE VIEW metric AS
  SELECT run, name, unit, adding, value FROM metric_value JOIN quantity ON id = quantity;
CREATE TABLE coverage_item (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name));
CREATE TABLE coverage_count (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  item INTEGER NOT NULL REFERENCES coverage_item(id), count INTEGER NOT NULL,
  PRIMARY KEY (run, item)) WITHOUT ROWID;
CREATE VIEW coverage AS
  SELECT run, kind, name, count FROM coverage_count JOIN coverage_item ON id = item;
CREATE TABLE fault_effect (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, kind TEXT NOT NULL,
  state TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (run, kind, state)) WITHOUT ROWID;
)sql";

// A bucket's number gives its bounds: 3712 buckets on each side of zero, the most negative first;
// on a side 64 of one nanosecond each, then 64 to each power of two (latency_histogram.h).
constexpr const char* kHistogramTables = R"sql(
CREATE TABLE histogram (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, name TEXT NOT NULL,
  count INTEGER NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, sum_ns TEXT NOT NULL,
  buckets TEXT NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE VIEW histogram_bucket AS
  WITH entry AS (
    SELECT run, name, json_extract(value, '$[0]') AS bucket, json_extract(value, '$[1]') AS count
      FROM (SELECT run, name, buckets FROM histogram) AS h, json_each(h.buckets)),
  side AS (
    SELECT *, CASE WHEN bucket < 3712 THEN 3711 - bucket ELSE bucket - 3712 END AS place
      FROM entry),
  size AS (
    SELECT *, CASE WHEN place < 64 THEN 1 ELSE 1 << ((place - 64) / 64) END AS width FROM side),
  magnitude AS (
    SELECT *, CASE WHEN place < 64 THEN place ELSE (64 + (place - 64) % 64) * width END AS least
      FROM size)
  SELECT run, name, CASE WHEN bucket < 3712 THEN -(least + width - 1) ELSE least END AS low_ns,
         CASE WHEN bucket < 3712 THEN -least ELSE least + width - 1 END AS high_ns, count
    FROM magnitude;
)sql";

constexpr const char* kDetailTables = R"sql(
CREATE TABLE finding (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  oracle TEXT NOT NULL, severity TEXT NOT NULL, standing TEXT NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE violation (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  oracle TEXT NOT NULL, severity TEXT NOT NULL, at_ns INTEGER NOT NULL, process TEXT, event TEXT,
  message TEXT NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE loss (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  click TEXT NOT NULL, class TEXT NOT NULL, token TEXT, registered_at_ns INTEGER, process TEXT,
  life INTEGER, crashed_at_ns INTEGER, evidence TEXT NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE joined_pair (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  foreign_id TEXT NOT NULL, primary_id TEXT, outcome TEXT NOT NULL, class TEXT, writer TEXT,
  foreign_time TEXT NOT NULL, primary_time TEXT, written_time TEXT, registered_after_ns INTEGER,
  written_after_ns INTEGER,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE fault (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  description TEXT NOT NULL, at_ns INTEGER NOT NULL, effective INTEGER NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE checkpoint (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  at_ns INTEGER NOT NULL, events INTEGER NOT NULL, fingerprint TEXT NOT NULL,
  PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE manifest (
  run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, name TEXT NOT NULL,
  value TEXT NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE summary (
  run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE, json TEXT NOT NULL);
)sql";

// Parts of the JSON of a run in rows.
constexpr const char* kSummaryViews = R"sql(
CREATE VIEW figure AS
  SELECT run, json_extract(row.value, '$.name') AS name, coalesce(of.key, 'run') AS of,
         coalesce(of.value, '') AS place, json_extract(row.value, '$.unit') AS unit,
         json_extract(row.value, '$.value') AS value
    FROM summary, json_each(summary.json, '$.figures') AS row
         LEFT JOIN json_each(row.value, '$.of') AS of;
CREATE VIEW series AS
  WITH whole AS (
    SELECT run, '' AS place, part.key AS name, part.value AS points
      FROM summary, json_each(summary.json, '$.series') AS part
      WHERE part.type = 'array' AND part.key NOT IN ('pipelines', 'shards', 'reshards')),
  pipeline AS (
    SELECT run, json_extract(each.value, '$.where') AS place, part.key AS name,
           part.value AS points
      FROM summary, json_each(summary.json, '$.series.pipelines') AS each,
           json_each(each.value) AS part
      WHERE part.type = 'array'),
  shard AS (
    SELECT run, 'shard ' || each.key AS place, 'committed' AS name, each.value AS points
      FROM summary, json_each(summary.json, '$.series.shards') AS each)
  SELECT columns.run AS run, place, name, point.key AS number,
         (point.key + 1) * json_extract(summary.json, '$.series.interval_seconds') AS until_seconds,
         point.value AS value
    FROM (SELECT * FROM whole UNION ALL SELECT * FROM pipeline UNION ALL SELECT * FROM shard)
         AS columns
         JOIN summary ON summary.run = columns.run, json_each(columns.points) AS point
    WHERE point.type <> 'null';
CREATE VIEW fault_latency AS
  -- Without a number: of all faults, beside the same seed without them.
  WITH periods (run, fault, value) AS (
    SELECT run, json_extract(each.value, '$.number'), each.value
      FROM summary, json_each(summary.json, '$.around_faults') AS each
    UNION ALL
    SELECT run, NULL, json_extract(summary.json, '$.baseline') FROM summary)
  SELECT run, fault, period.key AS period,
         json_extract(period.value, '$.from_seconds') AS from_seconds,
         json_extract(period.value, '$.until_seconds') AS until_seconds, share.key AS latency,
         json_extract(share.value, '$.count') AS count, json_extract(share.value, '$.mean') AS mean,
         json_extract(share.value, '$.p50') AS p50, json_extract(share.value, '$.p90') AS p90,
         json_extract(share.value, '$.p99') AS p99
    FROM periods, json_each(periods.value) AS period, json_each(period.value) AS share
    WHERE period.type = 'object' AND share.type = 'object';
)sql";

bool make_tables(sqlite3* database) {
  std::string columns;
  const RunRecord record;
  RunRecord::each_scalar(record, [&](std::string_view name, const auto& field) {
    if (name == kPointColumn) return;
    using Field = std::remove_cvref_t<decltype(field)>;
    const bool number = std::is_integral_v<Field> && name != kSeedColumn;
    columns += fmt::format("{} {} NOT NULL, ", name, number ? "INTEGER" : "TEXT");
  });
  std::string runs = kRunTables;
  runs.replace(runs.find(kRunColumns), kRunColumns.size(), columns);
  return execute(database, runs.c_str()) && execute(database, kHistogramTables) &&
         execute(database, kDetailTables) && execute(database, kSummaryViews);
}

// The content of a database, as seen by the open transaction, if there is one.
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
  if (version > 0 && version < kResultStoreVersion && own_tables == 2) {
    return FileError{file,
                     fmt::format("it was written by an older photonsim (schema {}), and this one "
                                 "reads schema {} alone",
                                 version, kResultStoreVersion),
                     "read it with that photonsim, or run again into another file"};
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
    if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) || waited > kWriterWait) return false;
    sqlite3_sleep(static_cast<int>(kPause.count()));
  }
  return true;
}

// Inside a transaction that holds the write lock: makes the tables unless they are there.
std::optional<FileError> make_schema(const std::string& file, sqlite3* database) {
  // Another program may have made the schema, or filled the file, since it was read.
  Contents contents;
  if (auto error = read_contents(file, database, contents)) return error;
  if (auto error = refuse_foreign(file, contents)) return error;
  const std::string mark = fmt::format("PRAGMA user_version = {}", kResultStoreVersion);
  const bool made = contents.version == kResultStoreVersion || make_tables(database);
  // The mark is written again each time: so a file that cannot be written fails now, not after
  // the run.
  if (!made || !execute(database, mark.c_str()) || !execute(database, "COMMIT")) {
    return error_of(file, database);
  }
  return std::nullopt;
}

// Makes the schema in an empty file; refuses unknown content and leaves it unchanged.
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

Result<Database, FileError> opened(const std::string& file, const std::string& name, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw);
  if (raw == nullptr) return FileError{file, "no memory for a database", "free some memory"};
  if (code != SQLITE_OK) return error_of(file, raw);
  sqlite3_busy_timeout(raw, static_cast<int>(kWriterWait.count()));
  return database;
}

// The file as an SQLite URI: characters with a meaning there are escaped.
std::string immutable_uri(const std::string& file) {
  std::string uri = "file:";
  for (const char each : file) {
    if (each == '?' || each == '#' || each == '%') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(each));
    } else {
      uri += each;
    }
  }
  return uri + "?immutable=1";
}

// Begins to read. SQLite wants to make its log and index beside a file in WAL mode even for that.
bool can_begin(sqlite3* database) {
  if (!execute(database, "BEGIN")) return false;
  Statement first(database, "SELECT count(*) FROM sqlite_schema");
  return first.step() == SQLITE_ROW;
}

bool is_unwritable(sqlite3* database) {
  const int code = sqlite3_errcode(database) & 0xff;
  return code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_PERM;
}

// The log beside the file has content, which the file alone does not have.
bool has_log(const std::string& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file + "-wal", error);
  return !error && size > 0;
}

}  // namespace

Result<Database, FileError> open_results(const std::string& file) {
  auto database = opened(file, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!database) return database;
  if (auto error = prepare(file, database.assume_value().get())) return *error;
  return database;
}

Result<Database, FileError> open_results_for_reading(const std::string& file) {
  std::error_code ignored;
  const auto found = std::filesystem::status(file, ignored);
  if (!std::filesystem::is_regular_file(found)) {
    const char* const cause = std::filesystem::is_directory(found) ? "it is a directory"
                              : std::filesystem::exists(found)     ? "it is not a regular file"
                                                                   : "there is no such file";
    return FileError{file, cause, kRemedyForOthers};
  }
  auto database = opened(file, file, SQLITE_OPEN_READWRITE);
  const bool begun = database && can_begin(database.assume_value().get());
  if (!begun) {
    if (database && !is_unwritable(database.assume_value().get())) {
      return error_of(file, database.assume_value().get());
    }
    if (has_log(file)) {
      return FileError{file, "its latest rows are in its log, which cannot be opened here",
                       fmt::format("copy it together with {}-wal to where you may write", file)};
    }
    // It cannot be written here, so it is read as it is.
    database = opened(file, immutable_uri(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    if (!database) return database;
    if (!can_begin(database.assume_value().get())) {
      return error_of(file, database.assume_value().get());
    }
  }
  sqlite3* const raw = database.assume_value().get();
  Contents contents;
  if (auto error = read_contents(file, raw, contents)) return *error;
  if (auto error = refuse_foreign(file, contents); error && contents.version > 0) {
    if (contents.own_tables == 2 || contents.version > kResultStoreVersion) return *error;
  }
  if (contents.version != kResultStoreVersion || contents.own_tables != 2) {
    return FileError{file, "it is not a results file", kRemedyForOthers};
  }
  return database;
}

}  // namespace photon::analysis
