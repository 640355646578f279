#include "notebooks_export/csv_export.h"

#include <cstdio>

#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
#include "notebooks_export/csv_field.h"

namespace photonsim::notebooks {
namespace {

using photon::analysis::FileError;

photon::Result<std::string, FileError> rows_of(const photon::analysis::ResultStore& store) {
  std::string text = "run,scenario,seed,metric,value\n";
  const auto runs = store.runs();
  if (!runs) return runs.assume_error();
  for (const photon::analysis::StoredRun& run : runs.assume_value()) {
    const auto metrics = store.metrics(run.key);
    if (!metrics) return metrics.assume_error();
    for (const auto& [name, value] : metrics.assume_value()) {
      text += fmt::format("{},{},{},{},{}\n", run.key, csv_field(run.scenario), run.seed,
                          csv_field(name), value);
    }
  }
  return text;
}

}  // namespace

photon::Result<void, FileError> export_csv(const photon::analysis::ResultStore& store,
                                           const std::string& file) {
  const auto text = rows_of(store);
  if (!text) return text.assume_error();
  const std::string& rows = text.assume_value();
  auto draft = photon::analysis::DraftFile::create(file);
  if (!draft) return draft.assume_error();
  std::FILE* const out = draft.assume_value().stream();
  if (std::fwrite(rows.data(), 1, rows.size(), out) != rows.size()) {
    return photon::analysis::cannot_write(file);
  }
  return draft.assume_value().replace();
}

}  // namespace photonsim::notebooks
