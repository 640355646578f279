// Results files as changed by a user with SQLite and without this program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sqlite3.h>

#include "analysis/results/result_reader.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/result_verify.h"
#include "analysis/results/run_details.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

inline void change(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

// The first number that the query gives; -1 if it gives none.
inline std::int64_t query(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
  const std::int64_t value =
      sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return value;
}

// The first text that the query gives; empty if it gives none.
inline std::string query_text(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
  std::string text;
  if (sqlite3_step(statement) == SQLITE_ROW) {
    text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return text;
}

// All runs of a file as exports read them; it must be whole.
inline std::vector<ExportedRun> exported_runs(const std::string& file) {
  auto reader = ResultReader::open(file);
  REQUIRE(reader.has_value());
  std::vector<ExportedRun> runs;
  REQUIRE(reader.value().read([&](const ExportedRun& run) { runs.push_back(run); }).has_value());
  return runs;
}

// The record of that key; nothing if there is none.
inline std::optional<RunRecord> stored_record(const std::string& file, const std::string& key) {
  for (ExportedRun& run : exported_runs(file)) {
    if (run.key == key) return std::move(run.record);
  }
  return std::nullopt;
}

// A run of `run --out` with the figures of its summary.
inline RunDetails details_of(const Summary& summary, const std::string& text,
                             const std::string& model_version) {
  RunDetails run;
  run.point = {summary.scenario, PointKind::scenario, text, {}};
  run.model_version = model_version;
  run.record = run_record_of(summary, {});
  run.summary = summary;
  return run;
}

// What db verify finds in a file that can be read.
inline StoreFindings verified(const std::string& file) {
  auto found = verify_results(file);
  REQUIRE(found.has_value());
  return found.value();
}

}  // namespace photon::analysis::testing
