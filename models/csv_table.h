// A CSV table with a header line, read whole, with the place of every fault.
//
// RFC 4180 inside one line: a field may be quoted, a quote inside it is doubled; a quoted line
// break is not supported. Line ends are LF or CR LF, empty lines are skipped, a byte order mark is
// ignored. Every fault names file, line and remedy, and all of them are reported at once, up to a
// limit: rows that cannot be split do not hide the faults of the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/result.h"

namespace photon::models {

struct InputFault {
  std::string file;
  std::uint64_t line = 0;  // 1-based; 0: the file as a whole
  std::string message;
  std::string remedy;

  std::string text() const;  // "file:line: message (remedy)"
};
using InputFaults = std::vector<InputFault>;
inline constexpr std::size_t kMostFaults = 20;

struct CsvRow {
  std::uint64_t line = 0;
  std::vector<std::string> fields;
};

struct CsvTable {
  std::string file;
  std::vector<std::string> columns;
  std::vector<CsvRow> rows;
  InputFaults faults;  // of the rows that are left out, at most kMostFaults

  std::optional<std::size_t> column(std::string_view name) const;
};

// Fails if there is no table at all: no readable file, no sound header. Check `faults` before using
// the rows.
Result<CsvTable, InputFaults> read_csv(const std::string& path);

}  // namespace photon::models
