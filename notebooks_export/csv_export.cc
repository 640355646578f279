#include "notebooks_export/csv_export.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace photonsim::notebooks {
namespace {

using photon::analysis::FileError;

// RFC 4180: quoted when it must be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

photon::Result<std::string, FileError> rows_of(const photon::analysis::ResultStore& store) {
  std::string text = "run,scenario,seed,metric,value\n";
  const auto runs = store.runs();
  if (!runs) return runs.assume_error();
  for (const photon::analysis::StoredRun& run : runs.assume_value()) {
    const auto metrics = store.metrics(run.key);
    if (!metrics) return metrics.assume_error();
    for (const auto& [name, value] : metrics.assume_value()) {
      text += fmt::format("{},{},{},{},{}\n", run.key, field(run.scenario), run.seed, field(name),
                          value);
    }
  }
  return text;
}

FileError cannot_write(const std::string& file) {
  return {file, std::string("it cannot be written (") + std::strerror(errno) + ")",
          "free space or choose another file"};
}

}  // namespace

photon::Result<void, FileError> export_csv(const photon::analysis::ResultStore& store,
                                           const std::string& file) {
  const auto text = rows_of(store);
  if (!text) return text.assume_error();
  const std::string& rows = text.assume_value();
  // Written beside the target and renamed: whoever finds the file finds all of it.
  const std::string draft = file + ".part";
  std::FILE* out = std::fopen(draft.c_str(), "wb");
  if (out == nullptr) return cannot_write(file);
  const bool written = std::fwrite(rows.data(), 1, rows.size(), out) == rows.size();
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed || std::rename(draft.c_str(), file.c_str()) != 0) {
    const FileError error = cannot_write(file);
    std::remove(draft.c_str());
    return error;
  }
  return boost::outcome_v2::success();
}

}  // namespace photonsim::notebooks
