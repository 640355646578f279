#include "notebooks_export/csv_export.h"

#include <concepts>
#include <cstdio>
#include <iterator>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
#include "notebooks_export/csv_field.h"

namespace photonsim::notebooks {
namespace {

using photon::analysis::ExportedRun;
using photon::analysis::FileError;
using photon::analysis::RunRecord;

// Of RunRecord::each_scalar: what stands in a column further left.
bool has_own_column(std::string_view name) { return name == "scenario" || name == "seed"; }

template <class Field>
std::string cell(const Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    return std::string(name_of(field));
  } else if constexpr (std::integral<Field>) {
    return std::to_string(field);
  } else {
    return csv_field(field);
  }
}

std::string parameter_columns(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text += csv_field(each) + ",";
  return text;
}

std::string head(const std::vector<std::string>& parameters, CsvForm form) {
  const std::string columns = "scenario,seed," + parameter_columns(parameters);
  if (form == CsvForm::metrics) return "run," + columns + "metric,unit,value\n";
  std::string text = "run,study," + columns + "verdict";
  const RunRecord record;
  RunRecord::each_scalar(record, [&](std::string_view name, const auto&) {
    if (!has_own_column(name)) text += "," + std::string(name);
  });
  return text + "\n";
}

std::string place_of(const ExportedRun& run) {
  return fmt::format("{},{},{}", csv_field(run.scenario), run.record.seed,
                     parameter_columns(run.parameters));
}

std::string metric_rows(const ExportedRun& run) {
  const std::string place = fmt::format("{},{}", run.id, place_of(run));
  std::string text;
  for (const auto& each : run.record.metrics) {
    fmt::format_to(std::back_inserter(text), "{}{},{},{}\n", place, csv_field(each.name),
                   name_of(each.unit), each.value);
  }
  for (const auto& [kind, counts] :
       {std::pair("mark", &run.record.marks), std::pair("corner_case", &run.record.corner_cases),
        std::pair("obligation", &run.record.obligations),
        std::pair("fault_kind", &run.record.fault_kinds)}) {
    for (const auto& each : *counts) {
      fmt::format_to(std::back_inserter(text), "{}{},count,{}\n", place,
                     csv_field(fmt::format("{}.{}", kind, each.name)), each.count);
    }
  }
  return text;
}

std::string run_row(const ExportedRun& run) {
  std::string text = fmt::format("{},{},{}{}", run.id, run.study, place_of(run), run.verdict);
  RunRecord::each_scalar(run.record, [&](std::string_view name, const auto& field) {
    if (!has_own_column(name)) text += "," + cell(field);
  });
  return text + "\n";
}

}  // namespace

photon::Result<void, FileError> export_csv(const photon::analysis::ResultReader& results,
                                           const std::string& file, CsvForm form) {
  auto draft = photon::analysis::DraftFile::create(file);
  if (!draft) return draft.assume_error();
  std::FILE* const out = draft.assume_value().stream();
  bool written = true;
  const auto write = [&](const std::string& text) {
    written = written && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  };
  write(head(results.parameters(), form));
  const auto read = results.read([&](const ExportedRun& run) {
    write(form == CsvForm::metrics ? metric_rows(run) : run_row(run));
  });
  if (!read) return read.assume_error();
  if (!written) return photon::analysis::cannot_write(file);
  return draft.assume_value().replace();
}

}  // namespace photonsim::notebooks
