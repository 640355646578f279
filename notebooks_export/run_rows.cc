#include "notebooks_export/run_rows.h"

#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "notebooks_export/csv_file.h"

namespace photonsim::notebooks {
namespace {

using photon::analysis::ExportedRun;
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

std::string joined(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& each : cells) text += csv_field(each) + ",";
  return text;
}

}  // namespace

std::string place_head(const std::vector<std::string>& parameters) {
  return "scenario,seed," + joined(parameters);
}

std::string place_of(const ExportedRun& run) {
  return fmt::format("{},{},{}", csv_field(run.scenario), run.record.seed, joined(run.parameters));
}

std::string metrics_head(const std::vector<std::string>& parameters) {
  return "run," + place_head(parameters) + "metric,unit,value\n";
}

void for_each_count(const ExportedRun& run,
                    const std::function<void(const std::string&, std::uint64_t)>& visit) {
  for (const auto& [kind, counts] :
       {std::pair("mark", &run.record.marks), std::pair("corner_case", &run.record.corner_cases),
        std::pair("obligation", &run.record.obligations),
        std::pair("fault_kind", &run.record.fault_kinds)}) {
    for (const auto& each : *counts) visit(fmt::format("{}.{}", kind, each.name), each.count);
  }
}

std::string metric_rows(const ExportedRun& run) {
  const std::string place = fmt::format("{},{}", run.id, place_of(run));
  std::string text;
  for (const auto& each : run.record.metrics) {
    fmt::format_to(std::back_inserter(text), "{}{},{},{}\n", place, csv_field(each.name),
                   name_of(each.unit), each.value);
  }
  for_each_count(run, [&](const std::string& name, std::uint64_t count) {
    fmt::format_to(std::back_inserter(text), "{}{},count,{}\n", place, csv_field(name), count);
  });
  return text;
}

std::vector<std::string> run_columns() {
  std::vector<std::string> names;
  const RunRecord record;
  RunRecord::each_scalar(record, [&](std::string_view name, const auto&) {
    if (!has_own_column(name)) names.emplace_back(name);
  });
  return names;
}

std::string runs_head(const std::vector<std::string>& parameters) {
  std::string text = "run,study," + place_head(parameters) + "verdict";
  for (const std::string& name : run_columns()) text += "," + name;
  return text + "\n";
}

std::string run_row(const ExportedRun& run) {
  std::string text = fmt::format("{},{},{}{}", run.id, run.study, place_of(run), run.verdict);
  RunRecord::each_scalar(run.record, [&](std::string_view name, const auto& field) {
    if (!has_own_column(name)) text += "," + cell(field);
  });
  return text + "\n";
}

}  // namespace photonsim::notebooks
