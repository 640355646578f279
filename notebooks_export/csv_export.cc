#include "notebooks_export/csv_export.h"

#include <concepts>
#include <cstdio>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "analysis/trace_files/draft_file.h"
#include "core_impl/base/time_text.h"
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

namespace {

// A CSV file on its way to its name.
class CsvFile {
 public:
  explicit CsvFile(photon::analysis::DraftFile draft) : draft_(std::move(draft)) {}

  void write(const std::string& text) {
    written_ = written_ && std::fwrite(text.data(), 1, text.size(), draft_.stream()) == text.size();
  }
  photon::Result<void, FileError> finish(const std::string& file) {
    if (!written_) return photon::analysis::cannot_write(file);
    return draft_.replace();
  }

 private:
  photon::analysis::DraftFile draft_;
  bool written_ = true;
};

// Exact to the nanosecond: "12.25"; empty for nothing.
std::string seconds_of(std::optional<std::int64_t> nanoseconds) {
  if (!nanoseconds) return {};
  std::string text = photon::in_seconds(photon::Duration(*nanoseconds));
  text.pop_back();
  return text;
}

std::string pair_row(std::int64_t run, const photon::analysis::ExportedPair& pair) {
  const std::string pipeline = pair.writer.substr(0, pair.writer.find('/'));
  std::string text = std::to_string(run);
  for (const std::string& each :
       {pair.foreign_id, pair.primary_id, pair.outcome, pair.cause, pair.foreign_time,
        pair.primary_time, pair.written_time, pipeline, pair.writer}) {
    text += "," + csv_field(each);
  }
  return text + fmt::format(",{},{}\n", seconds_of(pair.registered_after_ns),
                            seconds_of(pair.written_after_ns));
}

}  // namespace

photon::Result<void, FileError> export_csv(const photon::analysis::ResultReader& results,
                                           const std::string& file, CsvForm form) {
  auto draft = photon::analysis::DraftFile::create(file);
  if (!draft) return draft.assume_error();
  CsvFile out(std::move(draft).assume_value());
  out.write(head(results.parameters(), form));
  const auto read = results.read([&](const ExportedRun& run) {
    out.write(form == CsvForm::metrics ? metric_rows(run) : run_row(run));
  });
  if (!read) return read.assume_error();
  return out.finish(file);
}

photon::Result<void, FileError> export_joined_pairs(const photon::analysis::ResultReader& results,
                                                    const std::string& file, std::uint64_t& pairs) {
  auto draft = photon::analysis::DraftFile::create(file);
  if (!draft) return draft.assume_error();
  CsvFile out(std::move(draft).assume_value());
  out.write(
      "run,foreign_id,primary_id,outcome,class,foreign_time,primary_time,written_time,pipeline,"
      "writer,registered_after_seconds,written_after_seconds\n");
  pairs = 0;
  photon::Result<void, FileError> rows = boost::outcome_v2::success();
  const auto read = results.read([&](const ExportedRun& run) {
    if (!rows) return;
    rows = results.read_pairs(run.id, [&](const photon::analysis::ExportedPair& pair) {
      out.write(pair_row(run.id, pair));
      ++pairs;
    });
  });
  if (!read) return read.assume_error();
  if (!rows) return rows;
  return out.finish(file);
}

}  // namespace photonsim::notebooks
