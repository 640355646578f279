// A CSV file on its way to its name (RFC 4180, lines end with a line feed).
#pragma once

#include <cerrno>
#include <cstddef>
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
    if (error_ != 0) return;
    const std::size_t written = std::fwrite(lines.data(), 1, lines.size(), draft_.stream());
    if (written != lines.size()) error_ = errno;
  }
  // All lines have left the program, or the first error.
  photon::Result<void, photon::analysis::FileError> flush() {
    if (error_ == 0 && std::fflush(draft_.stream()) != 0) error_ = errno;
    if (error_ == 0) return boost::outcome_v2::success();
    errno = error_;
    return photon::analysis::cannot_write(draft_.name());
  }
  // What had that name before still has it unless all was written.
  photon::Result<void, photon::analysis::FileError> finish() {
    if (auto written = flush(); !written) return written;
    return draft_.replace();
  }

 private:
  photon::analysis::DraftFile draft_;
  int error_ = 0;  // errno of the first write that failed
};

}  // namespace photonsim::notebooks
