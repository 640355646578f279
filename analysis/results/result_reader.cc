#include "analysis/results/result_reader.h"

#include <functional>
#include <map>

#include <fmt/format.h>

#include "analysis/results/result_database.h"
#include "analysis/results/result_schema.h"
#include "analysis/results/run_rows.h"
#include "analysis/results/study_rows.h"

namespace photon::analysis {
namespace {

// A parameter differs if it has two values at points of one kind, or is missing at some of them.
constexpr const char* kDiffering = R"sql(
WITH size AS (SELECT kind, count(*) AS points FROM point GROUP BY kind)
SELECT DISTINCT name FROM (
  SELECT parameter.name AS name FROM parameter JOIN point ON point.id = parameter.point
    JOIN size ON size.kind = point.kind GROUP BY size.kind, parameter.name
    HAVING count(DISTINCT value) > 1 OR count(*) < size.points)
  ORDER BY name
)sql";

FileError not_as_saved(const std::string& file, const StudyRow& study, const std::string& fault) {
  return {.file = file,
          .cause = fmt::format("it is damaged: {} {}: {}", study.kind, study.key, fault),
          .remedy = "db verify names all that is wrong with it",
          .damaged = true};
}

}  // namespace

struct ResultReader::State {
  std::string file;
  Database database;
  std::vector<std::string> parameters{};

  // Of read_rows, by table: prepared once for all runs. They end before the database does.
  std::map<std::string, std::unique_ptr<Statement>, std::less<>> queries{};

  FileError error() const { return error_of(file, database.get()); }

  Statement& query_of(const RowsOf& what) {
    auto& query = queries[std::string(what.table)];
    if (!query) {
      const std::string sql = fmt::format("SELECT {} FROM {} WHERE run = ? ORDER BY {}",
                                          fmt::join(what.columns, ", "), what.table, what.order);
      query = std::make_unique<Statement>(database.get(), sql.c_str());
    }
    return *query;
  }

  // As `db verify`: damage is found also where no row is read from it.
  Result<void, FileError> check_database() const {
    Statement check(database.get(), "PRAGMA integrity_check(1)");
    if (check.step() != SQLITE_ROW) return error();
    if (check.text(0) != "ok") return damaged(check.text(0));
    return check_owners();
  }

  // A run whose study or point was deleted would be left out in silence.
  Result<void, FileError> check_owners() const {
    Statement check(database.get(), "PRAGMA foreign_key_check");
    const int step = check.step();
    if (step == SQLITE_DONE) return boost::outcome_v2::success();
    if (step != SQLITE_ROW) return error();
    return damaged(orphan_text(check));
  }

  FileError damaged(const std::string& fault) const {
    return {.file = file,
            .cause = "it is damaged (" + fault + ")",
            .remedy = "db verify names all that is wrong with it",
            .damaged = true};
  }

  bool read_parameters() {
    Statement row(database.get(), kDiffering);
    int step = row.step();
    for (; step == SQLITE_ROW; step = row.step()) parameters.push_back(row.text(0));
    return step == SQLITE_DONE;
  }

  std::vector<std::string> values_at(std::int64_t point) const {
    std::map<std::string, std::string> values;
    Statement row(database.get(), "SELECT name, value FROM parameter WHERE point = ?");
    if (row.prepared()) row.bind(point);
    while (row.step() == SQLITE_ROW) values[row.text(0)] = row.text(1);
    std::vector<std::string> list;
    for (const std::string& name : parameters) list.push_back(values[name]);
    return list;
  }

  std::string read_run(const StudyRow& study, const PointRow& point, const RunPlace& place,
                       ExportedRun& run) const {
    if (!place.fault.empty()) return place.fault;
    auto record = read_record(database.get(), place.id);
    Statement row(database.get(), "SELECT key, verdict FROM run WHERE id = ?");
    if (!record || !row.prepared() || row.bind(place.id).step() != SQLITE_ROW) {
      return "a run of it is not written as this program writes them";
    }
    record->scenario = static_cast<std::uint32_t>(point.number);
    run.id = place.id;
    run.key = row.text(0);
    run.study = study.key;
    run.kind = study.kind;
    run.model_version = study.model_version;
    run.scenario = point.point.scenario;
    run.verdict = row.text(1);
    run.record = *std::move(record);
    return {};
  }
};

ResultReader::ResultReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;
ResultReader::~ResultReader() = default;

Result<ResultReader, FileError> ResultReader::open(const std::string& file) {
  auto database = open_results_for_reading(file);
  if (!database) return std::move(database).assume_error();
  auto state = std::make_unique<State>(State{file, std::move(database).assume_value()});
  auto sound = state->check_database();
  if (!sound) return std::move(sound).assume_error();
  if (!state->read_parameters()) return state->error();
  return ResultReader(std::move(state));
}

const std::vector<std::string>& ResultReader::parameters() const { return state_->parameters; }

Result<std::vector<std::string>, FileError> ResultReader::outcomes() const {
  std::vector<std::string> list;
  Statement row(state_->database.get(),
                "SELECT * FROM study ORDER BY (SELECT min(id) FROM point WHERE study = key)");
  int step = row.step();
  for (; step == SQLITE_ROW; step = row.step()) {
    const StudyRow study = study_row(row);
    if (!study.fault.empty()) return not_as_saved(state_->file, study, study.fault);
    if (!study.outcome.empty()) list.push_back(study.outcome);
  }
  if (step != SQLITE_DONE) return state_->error();
  return list;
}

Result<void, FileError> ResultReader::read(
    const std::function<void(const ExportedRun& run)>& take) const {
  Statement row(state_->database.get(), "SELECT * FROM study ORDER BY key");
  int step = row.step();
  for (; step == SQLITE_ROW; step = row.step()) {
    const StudyRow study = study_row(row);
    std::int64_t point_id = -1;
    ExportedRun run;
    const std::string fault = walk_study(
        state_->database.get(), study, [&](const PointRow& point, const RunPlace& place) {
          if (point.id != point_id) run.parameters = state_->values_at(point.id);
          point_id = point.id;
          std::string wrong = state_->read_run(study, point, place, run);
          if (wrong.empty()) take(run);
          return wrong;
        });
    if (!fault.empty()) return not_as_saved(state_->file, study, fault);
  }
  if (step != SQLITE_DONE) return state_->error();
  return boost::outcome_v2::success();
}

Result<void, FileError> ResultReader::read_pairs(
    std::int64_t run, const std::function<void(const ExportedPair& pair)>& take) const {
  Statement row(state_->database.get(), "SELECT * FROM joined_pair WHERE run = ? ORDER BY number");
  if (!row.prepared()) return state_->error();
  const auto maybe = [&](int column) {
    return row.text(column).empty() ? std::nullopt : std::optional(row.whole(column));
  };
  int step = row.bind(run).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    take({row.text(2), row.text(3), row.text(4), row.text(5), row.text(6), row.text(7), row.text(8),
          row.text(9), maybe(10), maybe(11)});
  }
  if (step != SQLITE_DONE) return state_->error();
  return boost::outcome_v2::success();
}

namespace {

Cell cell_of(const Statement& row, int column) {
  switch (row.type(column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return row.whole(column);
    case SQLITE_FLOAT:
      return row.real(column);
    default:
      return row.text(column);
  }
}

}  // namespace

Result<void, FileError> ResultReader::read_rows(
    const RowsOf& what, std::int64_t run,
    const std::function<void(std::span<const Cell> row)>& take) const {
  Statement& query = state_->query_of(what);
  if (!query.prepared()) return state_->error();
  query.reset();
  std::vector<Cell> cells(what.columns.size());
  int step = query.bind(run).step();
  for (; step == SQLITE_ROW; step = query.step()) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cell_of(query, static_cast<int>(i));
    take(cells);
  }
  if (step != SQLITE_DONE) return state_->error();
  query.reset();
  return boost::outcome_v2::success();
}

Result<std::optional<ExportedDetails>, FileError> ResultReader::read_details(
    std::int64_t run) const {
  Statement row(state_->database.get(), "SELECT json FROM summary WHERE run = ?");
  if (!row.prepared()) return state_->error();
  const int step = row.bind(run).step();
  if (step == SQLITE_DONE) return std::optional<ExportedDetails>();
  if (step != SQLITE_ROW) return state_->error();
  ExportedDetails details{row.text(0)};
  Statement line(state_->database.get(),
                 "SELECT name, value FROM manifest WHERE run = ? ORDER BY name");
  if (!line.prepared()) return state_->error();
  int next = line.bind(run).step();
  for (; next == SQLITE_ROW; next = line.step()) {
    details.manifest.emplace_back(line.text(0), line.text(1));
  }
  if (next != SQLITE_DONE) return state_->error();
  return std::optional(std::move(details));
}

}  // namespace photon::analysis
