// Results files as changed by a user with SQLite and without this program.
#pragma once

#include <cstdint>
#include <string>

#include <sqlite3.h>

#include "analysis/results/result_verify.h"
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

// What db verify finds in a file that can be read.
inline StoreFindings verified(const std::string& file) {
  auto found = verify_results(file);
  REQUIRE(found.has_value());
  return found.value();
}

}  // namespace photon::analysis::testing
