#include "analysis/results/result_database.h"

#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

// Every table that has rows of a run, in a fixed order, and how its rows are ordered.
constexpr std::array kOfRun{
    "SELECT * FROM run WHERE key = ?",
    "SELECT * FROM metric WHERE run = ? ORDER BY name",
    "SELECT * FROM histogram WHERE run = ? ORDER BY name",
    "SELECT * FROM violation WHERE run = ? ORDER BY number",
    "SELECT * FROM loss WHERE run = ? ORDER BY number",
    "SELECT * FROM fault WHERE run = ? ORDER BY number",
    "SELECT * FROM checkpoint WHERE run = ? ORDER BY number",
    "SELECT * FROM manifest WHERE run = ? ORDER BY name",
};

}  // namespace

void append_row(const Statement& row, int columns, Bytes& bytes) {
  Encoder encode(bytes);
  for (int column = 0; column < columns; ++column) {
    const int type = row.type(column);
    encode(static_cast<std::uint32_t>(type));
    if (type == SQLITE_INTEGER) {
      encode(row.whole(column));
    } else if (type == SQLITE_FLOAT) {
      encode(std::bit_cast<std::uint64_t>(row.real(column)));
    } else {
      const auto value = row.blob(column);
      encode(static_cast<std::uint64_t>(value.size()));
      encode.raw(value);
    }
  }
}

FileError error_of(const std::string& file, sqlite3* database) {
  const int code = sqlite3_errcode(database) & 0xff;
  const std::string text = sqlite3_errmsg(database);
  switch (code) {
    case SQLITE_FULL:
      return {file, "the disk is full", "free space on that disk or choose another file"};
    case SQLITE_NOTADB:
      return {file, "it is not a results file", "choose another file"};
    case SQLITE_CORRUPT:
      return {.file = file,
              .cause = "it is damaged (" + text + ")",
              .remedy = "move it away, then do again what it held",
              .damaged = true};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {file, "another program is writing it", "wait for it or choose another file"};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return {file, "it cannot be written (" + text + ")",
              "choose a file in a directory that you may write"};
    case SQLITE_IOERR:
      return {file,
              fmt::format("it cannot be read or written ({})",
                          std::strerror(sqlite3_system_errno(database))),
              "look after the disk, and limits of the sizes of files, or choose another file"};
    default:
      return {file, "the database reports: " + text, "choose another file"};
  }
}

bool execute(sqlite3* database, const char* sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::optional<RunContents> contents_of_run(sqlite3* database, const std::string& key) {
  RunContents contents;
  std::uint64_t digest = 0;
  Bytes bytes;
  for (const char* const select : kOfRun) {
    Statement rows(database, select);
    if (!rows.prepared()) return std::nullopt;
    rows.bind(key);
    bytes.clear();
    int step = rows.step();
    for (; step == SQLITE_ROW; step = rows.step()) {
      append_row(rows, rows.columns(), bytes);
      ++contents.rows;
    }
    if (step != SQLITE_DONE) return std::nullopt;
    digest = hash_bytes(bytes, digest);
  }
  contents.digest = fmt::format("{:016x}", digest);
  return contents;
}

}  // namespace photon::analysis
