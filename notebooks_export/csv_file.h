// A CSV file on its way to its name (RFC 4180, lines end with a line feed).
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/trace_files/draft_file.h"

namespace photonsim::notebooks {

// Quoted when it must be.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

class CsvFile {
 public:
  explicit CsvFile(photon::analysis::DraftFile draft) : draft_(std::move(draft)) {}

  // Whole lines. An error shows in finish().
  void write(std::string_view lines) {
    written_ =
        written_ && std::fwrite(lines.data(), 1, lines.size(), draft_.stream()) == lines.size();
  }
  // What had that name before still has it unless all was written.
  photon::Result<void, photon::analysis::FileError> finish() {
    if (!written_) return photon::analysis::cannot_write(draft_.name());
    return draft_.replace();
  }

 private:
  photon::analysis::DraftFile draft_;
  bool written_ = true;
};

}  // namespace photonsim::notebooks
