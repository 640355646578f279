// Everything of a results file, run by run, for exports: only content that is as it was saved is
// passed on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/results/run_record.h"
#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

// The place of a run.
struct ExportedRun {
  std::int64_t id = 0;  // of the run, by which its other rows in the file know it
  std::string key{};
  std::string study{};  // its key
  std::string kind{};   // of the study: "run", "campaign"
  std::string model_version{};
  std::string scenario{};  // name
  std::string verdict{};
  std::vector<std::string> parameters{};  // values in the order of ResultReader::parameters()
  RunRecord record{};
};

// One foreign event of a replayed log (docs/results_schema.md, table joined_pair). Empty texts and
// nothing: it has none.
struct ExportedPair {
  std::string foreign_id{};
  std::string primary_id{};
  std::string outcome{};
  std::string cause{};
  std::string writer{};
  std::string foreign_time{};
  std::string primary_time{};
  std::string written_time{};
  std::optional<std::int64_t> registered_after_ns{};
  std::optional<std::int64_t> written_after_ns{};
};

// What `run --out` keeps of a run beside its record.
struct ExportedDetails {
  std::string summary{};                                        // the object of --json, as text
  std::vector<std::pair<std::string, std::string>> manifest{};  // program, ...
};

// NULL, a whole number, a number or a text.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

// What to read of a table or view of docs/results_schema.md that has a column `run`.
struct RowsOf {
  std::string_view table{};
  std::vector<std::string_view> columns{};  // SQL; the order of the cells of a row
  std::string_view order{};                 // SQL: columns, first by the first
};

class ResultReader {
 public:
  // As open_results_for_reading: also from a place that cannot be written.
  static Result<ResultReader, FileError> open(const std::string& file);

  ResultReader(ResultReader&&) noexcept;
  ResultReader& operator=(ResultReader&&) noexcept;
  ~ResultReader();

  // Names of the parameters in which the points of the file differ, ascending.
  const std::vector<std::string>& parameters() const;
  // What programs concluded from the runs of studies, as text, the oldest study first; only of
  // those that came to an end.
  Result<std::vector<std::string>, FileError> outcomes() const;
  // Passes each run on, study by study, in the order of saving. An error if something is not as it
  // was saved (FileError::damaged): then the runs passed on are void.
  Result<void, FileError> read(const std::function<void(const ExportedRun& run)>& take) const;
  // Passes on the foreign events of one run, one at a time, in the order of generation.
  Result<void, FileError> read_pairs(
      std::int64_t run, const std::function<void(const ExportedPair& pair)>& take) const;
  // Passes on the rows of one run, one at a time: memory does not grow with them. None for a run of
  // which the file keeps no such rows.
  Result<void, FileError> read_rows(
      const RowsOf& what, std::int64_t run,
      const std::function<void(std::span<const Cell> row)>& take) const;
  // Nothing for a run of a campaign or a study.
  Result<std::optional<ExportedDetails>, FileError> read_details(std::int64_t run) const;

 private:
  struct State;
  explicit ResultReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
