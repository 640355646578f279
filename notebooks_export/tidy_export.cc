#include "notebooks_export/tidy_export.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "analysis/explain/metric_texts.h"
#include "notebooks_export/csv_file.h"
#include "notebooks_export/run_rows.h"
#include "notebooks_export/tidy_tables.h"

namespace photonsim::notebooks {
namespace {

using photon::analysis::Cell;
using photon::analysis::DraftFile;
using photon::analysis::ExportedRun;
using photon::analysis::FileError;
using photon::analysis::ResultReader;
using photon::analysis::RowsOf;

std::string text_of(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> std::string {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return {};
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return csv_field(value);
        } else {
          return fmt::format("{}", value);
        }
      },
      cell);
}

RowsOf rows_of(const TidyTable& table) {
  RowsOf what{.table = table.view, .columns = {}, .order = table.order};
  for (const TidyColumn& each : table.columns) {
    what.columns.push_back(each.sql.empty() ? each.name : each.sql);
  }
  return what;
}

// A file of the export while it is written.
struct Output {
  CsvFile file;
  ExportedFile counted{};

  void write_rows(std::string_view lines, std::uint64_t rows) {
    file.write(lines);
    counted.rows += rows;
  }
};

class TidyExport {
 public:
  TidyExport(const ResultReader& results, std::string folder)
      : results_(results), folder_(std::move(folder)) {
    for (const TidyTable& each : tidy_tables()) queries_.push_back(rows_of(each));
  }

  photon::Result<std::vector<ExportedFile>, FileError> run(const MeaningOfParameter& meaning_of) {
    if (auto opened = open_all(); !opened) return std::move(opened).assume_error();
    std::optional<FileError> failed;
    const auto read = results_.read([&](const ExportedRun& run) {
      if (failed) return;
      if (auto added = add_run(run); !added) failed = std::move(added).assume_error();
    });
    if (!read) return read.assume_error();
    if (failed) return *std::move(failed);
    write_dictionary(meaning_of);
    // Before the first file gets its name: a full disk leaves all of them as they were.
    for (Output& each : outputs_) {
      if (auto written = each.file.flush(); !written) return std::move(written).assume_error();
    }
    std::vector<ExportedFile> files;
    for (Output& each : outputs_) {
      if (auto finished = each.file.finish(); !finished) return std::move(finished).assume_error();
      files.push_back(std::move(each.counted));
    }
    return files;
  }

 private:
  photon::Result<void, FileError> open(const std::string& name, std::string_view head) {
    auto draft = DraftFile::create(folder_ + "/" + name);
    if (!draft) return std::move(draft).assume_error();
    outputs_.push_back({CsvFile(std::move(draft).assume_value()), {name, 0}});
    outputs_.back().file.write(head);
    return boost::outcome_v2::success();
  }

  photon::Result<void, FileError> open_all() {
    const auto& parameters = results_.parameters();
    const std::string place = "run," + place_head(parameters);
    std::vector<std::pair<std::string, std::string>> files{
        {"runs.csv", runs_head(parameters)}, {"metrics.csv", metrics_head(parameters)}};
    for (const TidyTable& table : tidy_tables()) {
      std::string head = place;
      for (const TidyColumn& each : table.columns) {
        head += fmt::format("{}{}", each.name, &each == &table.columns.back() ? "\n" : ",");
      }
      files.emplace_back(table.file, std::move(head));
    }
    files.emplace_back("data_dictionary.csv", "file,column,value,type,unit,meaning\n");
    for (const auto& [name, head] : files) {
      if (auto opened = open(name, head); !opened) return opened;
    }
    return boost::outcome_v2::success();
  }

  photon::Result<void, FileError> add_run(const ExportedRun& run) {
    outputs_[0].write_rows(run_row(run), 1);
    const std::string metrics = metric_rows(run);
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(metrics, '\n'));
    outputs_[1].write_rows(metrics, lines);
    for (const auto& each : run.record.metrics) {
      metrics_.emplace(each.name, name_of(each.unit));
    }
    for_each_count(run, [&](const std::string& name, std::uint64_t) { counts_.insert(name); });
    const std::string place = fmt::format("{},{}", run.id, place_of(run));
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      const auto read = results_.read_rows(queries_[i], run.id, [&](std::span<const Cell> row) {
        std::string line = place;
        for (const Cell& each : row) line += text_of(each) + (&each == &row.back() ? "\n" : ",");
        outputs_[2 + i].write_rows(line, 1);
      });
      if (!read) return read.assume_error();
    }
    return boost::outcome_v2::success();
  }

  void define(std::string_view file, const TidyColumn& column) {
    outputs_.back().write_rows(fmt::format("{},{},,{},{},{}\n", file, column.name, column.type,
                                           column.unit, csv_field(column.meaning)),
                               1);
  }

  void define(std::string_view file, std::string_view column, std::string_view value,
              std::string_view unit, std::string_view meaning) {
    outputs_.back().write_rows(
        fmt::format("{},{},{},,{},{}\n", file, column, csv_field(value), unit, csv_field(meaning)),
        1);
  }

  void define_place(std::string_view file, const MeaningOfParameter& meaning_of) {
    for (const TidyColumn& each : place_columns()) define(file, each);
    for (const std::string& each : results_.parameters()) {
      const std::string meaning = meaning_of(each);
      define(file, {each, "text", "", meaning});
    }
  }

  void write_dictionary(const MeaningOfParameter& meaning_of) {
    define_place("runs.csv", meaning_of);
    for (const TidyColumn& each : runs_columns()) define("runs.csv", each);
    define_place("metrics.csv", meaning_of);
    for (const TidyColumn& each : metrics_columns()) define("metrics.csv", each);
    for (const auto& [name, unit] : metrics_) {
      define("metrics.csv", "metric", name, unit, photon::analysis::meaning_of_metric(name));
    }
    for (const std::string& name : counts_) {
      define("metrics.csv", "metric", name, "count", photon::analysis::meaning_of_count(name));
    }
    for (const TidyTable& table : tidy_tables()) {
      define(table.file, {"", "", "", table.meaning});
      define_place(table.file, meaning_of);
      for (const TidyColumn& each : table.columns) define(table.file, each);
      for (const TidyValue& each : table.values) {
        define(table.file, each.column, each.value, each.unit, each.meaning);
      }
    }
  }

  const ResultReader& results_;
  std::string folder_;
  std::vector<RowsOf> queries_{};  // of tidy_tables(), in their order
  // runs.csv, metrics.csv, one for each of tidy_tables(), the dictionary.
  std::vector<Output> outputs_{};
  std::map<std::string, std::string> metrics_{};  // names and units that occur
  std::set<std::string> counts_{};                // the same of counts by name
};

}  // namespace

std::vector<std::string> tidy_files() {
  std::vector<std::string> names{"runs.csv", "metrics.csv", "data_dictionary.csv"};
  for (const TidyTable& each : tidy_tables()) names.emplace_back(each.file);
  return names;
}

photon::Result<std::vector<ExportedFile>, FileError> export_tidy(
    const ResultReader& results, const std::string& folder, const MeaningOfParameter& meaning_of) {
  return TidyExport(results, folder).run(meaning_of);
}

}  // namespace photonsim::notebooks
