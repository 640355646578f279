// The tables of an export that follow the runs: what each has in its columns. One row of data below
// is all that a new table needs; the data dictionary comes from the same rows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace photonsim::notebooks {

struct TidyColumn {
  std::string_view name{};
  std::string_view type{};     // "integer", "number", "text"
  std::string_view unit{};     // empty: none
  std::string_view meaning{};  // one sentence
  std::string_view sql{};      // of the view; empty: its name
};

// A value of a column that a reader may not know: a name, a period.
struct TidyValue {
  std::string_view column{};
  std::string_view value{};
  std::string_view unit{};
  std::string_view meaning{};
};

struct TidyTable {
  std::string_view file{};  // "series.csv"
  std::string_view view{};  // of the results file (docs/results_schema.md)
  std::string_view order{};
  std::string_view meaning{};  // of a row
  std::vector<TidyColumn> columns{};
  std::vector<TidyValue> values{};
};

std::span<const TidyTable> tidy_tables();

// Of runs.csv and metrics.csv, which have the columns of run_rows.h.
std::span<const TidyColumn> place_columns();  // in every file, before the parameters
std::span<const TidyColumn> runs_columns();
std::span<const TidyColumn> metrics_columns();

}  // namespace photonsim::notebooks
