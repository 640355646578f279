// SQLite, for the files of this folder that read and write results files only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "analysis/trace_files/file_error.h"
#include "core_impl/base/bytes.h"

namespace photon::analysis {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

// The error of the last call to the database, as a message.
FileError error_of(const std::string& file, sqlite3* database);

// One prepared statement; parameters are bound in order.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) != SQLITE_OK) {
      statement_ = nullptr;
    }
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  bool prepared() const { return statement_ != nullptr; }
  Statement& bind(std::string_view text) {
    sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
    return *this;
  }
  Statement& bind(std::int64_t value) {
    sqlite3_bind_int64(statement_, ++bound_, value);
    return *this;
  }
  Statement& bind(double value) {
    sqlite3_bind_double(statement_, ++bound_, value);
    return *this;
  }
  // Nothing is NULL.
  template <class Value>
  Statement& bind(const std::optional<Value>& value) {
    if (value) return bind(*value);
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
  }
  // SQLITE_ROW, SQLITE_DONE or an error.
  int step() { return prepared() ? sqlite3_step(statement_) : SQLITE_ERROR; }
  bool run() {
    const bool done = step() == SQLITE_DONE;
    if (prepared()) sqlite3_reset(statement_);
    bound_ = 0;
    return done;
  }
  // Before it is bound and stepped anew.
  void reset() {
    sqlite3_reset(statement_);
    bound_ = 0;
  }
  std::string text(int column) const {
    const auto* begin = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return begin == nullptr ? std::string() : std::string(begin, size);
  }
  int columns() const { return sqlite3_column_count(statement_); }
  int type(int column) const { return sqlite3_column_type(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }
  std::int64_t whole(int column) const { return sqlite3_column_int64(statement_, column); }
  int integer(int column) const { return sqlite3_column_int(statement_, column); }
  std::span<const std::byte> blob(int column) const {
    const auto* begin = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
    return {begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

bool execute(sqlite3* database, const char* sql);

// For a row of PRAGMA foreign_key_check.
std::string orphan_text(const Statement& row);

// The type of each of the first `columns` values of a row, then the value, texts with their length:
// rows that differ give other bytes.
void append_row(const Statement& row, int columns, Bytes& bytes);

}  // namespace photon::analysis
