#include "analysis/results/result_database.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core_impl/base/codec.h"

namespace photon::analysis {
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

std::string orphan_text(const Statement& row) {
  return fmt::format("table {}: a row belongs to a {} that is not there", row.text(0), row.text(2));
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

}  // namespace photon::analysis
