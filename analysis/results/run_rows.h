// Runs in a results file: the rows of a RunRecord, written and read by the record's own list of
// fields, for the files of this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/results/result_database.h"
#include "analysis/results/run_record.h"

namespace photon::analysis {

// All rows that belong to a run, but for its seal: their number, and a digest of their values in
// the order of tables and keys.
struct RunContents {
  std::int64_t rows = 0;
  std::uint64_t digest = 0;
};
// Nothing if the database cannot be read.
std::optional<RunContents> contents_of_run(sqlite3* database, std::int64_t id);

// The place of a run.
struct NewRun {
  std::int64_t point = 0;   // id
  std::int64_t number = 0;  // in its study, from 1
  std::string key{};        // 16 hexadecimal digits
};

// One row of table `violation`.
struct ViolationRow {
  std::string oracle{};
  Severity severity = Severity::safety;
  SimTime at{};
  std::string process{};  // empty: none
  std::string event{};    // empty: none
  std::string message{};
};

// Adds the rows of runs, inside a transaction; each function returns nothing or false after an
// error of the database.
class RunWriter {
 public:
  explicit RunWriter(sqlite3* database);

  // The id of the run, which is not sealed yet. kThere: a complete run of that key exists.
  static constexpr std::int64_t kThere = 0;
  std::optional<std::int64_t> add(const NewRun& place, const RunRecord& record);
  // The same, with more violations than the first of each oracle.
  std::optional<std::int64_t> add(const NewRun& place, const RunRecord& record,
                                  const std::vector<ViolationRow>& violations);
  // The last step for a run. Returns its digest.
  std::optional<std::uint64_t> seal(std::int64_t id);

 private:
  std::optional<std::int64_t> insert_scalars(const NewRun& place, const RunRecord& record);
  bool add_metrics(std::int64_t id, const RunRecord& record);
  bool add_coverage(std::int64_t id, std::string_view kind, const std::vector<NamedCount>& counts);
  bool add_findings(std::int64_t id, const RunRecord& record);
  bool add_violations(std::int64_t id, const std::vector<ViolationRow>& violations);
  std::optional<std::int64_t> quantity_of(const Metric& metric);
  std::optional<std::int64_t> item_of(std::string_view kind, const std::string& name);

  sqlite3* database_;
  Statement run_, metric_, coverage_, effect_, histogram_, finding_, violation_, seal_;
  Statement find_quantity_, new_quantity_, find_item_, new_item_;
  std::map<std::string, std::int64_t, std::less<>> quantities_{};  // of this transaction
  std::map<std::pair<std::string, std::string>, std::int64_t> items_{};
};

// The stored verdict of a run: that of its exit code, or that its process died.
std::string_view verdict_of(const RunRecord& record);

// Of the run with that id; the caller knows its place among the points. The events of its findings
// are not read back. Nothing if the rows are not in this program's form.
std::optional<RunRecord> read_record(sqlite3* database, std::int64_t id);

}  // namespace photon::analysis
