#include "analysis/results/run_rows.h"

#include <algorithm>
#include <charconv>
#include <concepts>

#include <fmt/format.h>

#include "analysis/reports/verdict.h"
#include "analysis/results/histogram_row.h"
#include "analysis/results/result_schema.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {
namespace {

// Every table that has rows of a run, in a fixed order, and how its rows are ordered. A value in
// two tables is read joined, with its names.
constexpr std::array kOfRun{
    "SELECT name, unit, adding, value FROM metric_value JOIN quantity ON id = quantity WHERE run = "
    "? ORDER BY quantity",
    "SELECT kind, name, count FROM coverage_count JOIN coverage_item ON id = item WHERE run = ? "
    "ORDER BY item",
    "SELECT * FROM fault_effect WHERE run = ? ORDER BY kind, state",
    "SELECT * FROM histogram WHERE run = ? ORDER BY name",
    "SELECT * FROM finding WHERE run = ? ORDER BY number",
    "SELECT * FROM violation WHERE run = ? ORDER BY number",
    "SELECT * FROM loss WHERE run = ? ORDER BY number",
    "SELECT * FROM joined_pair WHERE run = ? ORDER BY number",
    "SELECT * FROM fault WHERE run = ? ORDER BY number",
    "SELECT * FROM checkpoint WHERE run = ? ORDER BY number",
    "SELECT * FROM manifest WHERE run = ? ORDER BY name",
    "SELECT * FROM summary WHERE run = ?",
};

// The rows of a run are hashed in pieces of this size: a user's log has millions.
constexpr std::size_t kHashedAtOnce = std::size_t{1} << 20U;

constexpr std::string_view kMarkCoverage = "mark";
constexpr std::string_view kCornerCoverage = "corner_case";
constexpr std::string_view kObligationCoverage = "obligation";
constexpr std::string_view kFaultKindCoverage = "fault_kind";

constexpr const auto& names_of(RunEnd) { return kRunEndNames; }
constexpr const auto& names_of(RunTier) { return kRunTierNames; }
constexpr const auto& names_of(Determinism) { return kDeterminismNames; }
constexpr const auto& names_of(Severity) { return kSeverityNames; }
constexpr const auto& names_of(Standing) { return kStandingNames; }
constexpr const auto& names_of(Unit) { return kUnitNames; }
constexpr const auto& names_of(Adding) { return kAddingNames; }
constexpr const auto& names_of(ProtocolState) { return kStateNames; }

template <class Enum>
bool read_name(const std::string& text, Enum& value) {
  const auto& names = names_of(Enum{});
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return false;
  value = static_cast<Enum>(found - names.begin());
  return true;
}

std::string column_list() {
  std::string list;
  const RunRecord record;
  RunRecord::each_scalar(record, [&](std::string_view name, const auto&) {
    if (name != kPointColumn) list += std::string(name) + ", ";
  });
  return list;
}

std::string insert_text() {
  const std::string columns = column_list();
  std::string places;
  for (const char each : columns) places += each == ',' ? "?, " : "";
  return "INSERT INTO run (point, number, key, verdict, " + columns + "seal) VALUES (?, ?, ?, ?, " +
         places + "'') ON CONFLICT (key) WHERE ending <> 'died' DO NOTHING";
}

template <class Field>
void bind_scalar(std::string_view name, const Field& field, Statement& insert) {
  if constexpr (std::is_enum_v<Field>) {
    insert.bind(name_of(field));
  } else if constexpr (std::integral<Field>) {
    if (name == kSeedColumn) {
      insert.bind(std::to_string(field));
    } else {
      insert.bind(static_cast<std::int64_t>(field));
    }
  } else {
    insert.bind(std::string_view(field));
  }
}

template <class Field>
bool read_scalar(std::string_view name, const Statement& row, int column, Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    return read_name(row.text(column), field);
  } else if constexpr (std::same_as<Field, bool>) {
    field = row.whole(column) != 0;
  } else if constexpr (std::integral<Field>) {
    if (name != kSeedColumn) {
      field = static_cast<Field>(row.whole(column));
      return true;
    }
    const std::string text = row.text(column);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), field);
    return error == std::errc{} && stop == text.data() + text.size();
  } else {
    field = row.text(column);
  }
  return true;
}

// Passes each row of the query about the run to `take`; false after an error, or if `take`
// returns false.
template <class Take>
bool each_row(sqlite3* database, const char* query, std::int64_t id, const Take& take) {
  Statement row(database, query);
  if (!row.prepared()) return false;
  int step = row.bind(id).step();
  for (; step == SQLITE_ROW; step = row.step()) {
    if (!take(row)) return false;
  }
  return step == SQLITE_DONE;
}

// The first violation of its oracle, if it is in the file.
void read_first(sqlite3* database, std::int64_t id, OracleFindings& findings) {
  Statement row(
      database,
      "SELECT at_ns, process, event, message FROM violation WHERE run = ? AND oracle = ? ORDER BY "
      "number");
  if (!row.prepared() || row.bind(id).bind(findings.oracle).step() != SQLITE_ROW) return;
  findings.at = from_nanoseconds<SimTime>(row.whole(0));
  if (row.type(1) == SQLITE_TEXT) findings.process = row.text(1);
  if (row.type(2) == SQLITE_TEXT) findings.event = row.text(2);
  findings.first_message = row.text(3);
}

bool read_lists(sqlite3* database, std::int64_t id, RunRecord& record) {
  const auto metric = [&](const Statement& row) {
    Metric& each = record.metrics.emplace_back();
    each.name = row.text(0);
    each.value = row.real(3);
    return read_name(row.text(1), each.unit) && read_name(row.text(2), each.adding);
  };
  const auto coverage = [&](const Statement& row) {
    const std::string kind = row.text(0);
    NamedCount count{row.text(1), static_cast<std::uint64_t>(row.whole(2))};
    for (const auto& [name, list] :
         {std::pair(kMarkCoverage, &record.marks), std::pair(kCornerCoverage, &record.corner_cases),
          std::pair(kObligationCoverage, &record.obligations),
          std::pair(kFaultKindCoverage, &record.fault_kinds)}) {
      if (kind != name) continue;
      list->push_back(std::move(count));
      return true;
    }
    return false;
  };
  const auto effect = [&](const Statement& row) {
    FaultEffects& each = record.fault_effects.emplace_back();
    each.kind = row.text(1);
    each.count = static_cast<std::uint64_t>(row.whole(3));
    return read_name(row.text(2), each.state);
  };
  const auto histogram = [&](const Statement& row) {
    auto bytes =
        histogram_bytes({row.whole(2), row.whole(3), row.whole(4), row.text(5), row.text(6)});
    if (bytes) record.histograms.push_back({row.text(1), *std::move(bytes)});
    return bytes.has_value();
  };
  const auto finding = [&](const Statement& row) {
    OracleFindings& each = record.findings.emplace_back();
    each.oracle = row.text(2);
    each.count = static_cast<std::uint64_t>(row.whole(5));
    read_first(database, id, each);
    return read_name(row.text(3), each.severity) && read_name(row.text(4), each.standing);
  };
  return each_row(database, kOfRun[0], id, metric) && each_row(database, kOfRun[1], id, coverage) &&
         each_row(database, kOfRun[2], id, effect) &&
         each_row(database, kOfRun[3], id, histogram) && each_row(database, kOfRun[4], id, finding);
}

std::vector<ViolationRow> first_violations(const RunRecord& record) {
  std::vector<ViolationRow> list;
  for (const OracleFindings& each : record.findings) {
    if (each.first_message.empty()) continue;
    list.push_back(
        {each.oracle, each.severity, each.at, each.process, each.event, each.first_message});
  }
  return list;
}

}  // namespace

std::optional<RunContents> contents_of_run(sqlite3* database, std::int64_t id) {
  RunContents contents;
  Bytes bytes;
  Statement scalars(database, "SELECT * FROM run WHERE id = ?");
  if (!scalars.prepared() || scalars.bind(id).step() != SQLITE_ROW) return std::nullopt;
  append_row(scalars, scalars.columns() - 1, bytes);
  ++contents.rows;
  for (const char* const query : kOfRun) {
    const bool read = each_row(database, query, id, [&](const Statement& row) {
      append_row(row, row.columns(), bytes);
      ++contents.rows;
      if (bytes.size() < kHashedAtOnce) return true;
      contents.digest = hash_bytes(bytes, contents.digest);
      bytes.clear();
      return true;
    });
    if (!read) return std::nullopt;
    contents.digest = hash_bytes(bytes, contents.digest);
    bytes.clear();
  }
  return contents;
}

RunWriter::RunWriter(sqlite3* database)
    : database_(database),
      run_(database, insert_text().c_str()),
      metric_(database, "INSERT INTO metric_value VALUES (?, ?, ?)"),
      coverage_(database, "INSERT INTO coverage_count VALUES (?, ?, ?)"),
      effect_(database, "INSERT INTO fault_effect VALUES (?, ?, ?, ?)"),
      histogram_(database, "INSERT INTO histogram VALUES (?, ?, ?, ?, ?, ?, ?)"),
      finding_(database, "INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?)"),
      violation_(database, "INSERT INTO violation VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      seal_(database, "UPDATE run SET seal = ? WHERE id = ?"),
      find_quantity_(database,
                     "SELECT id FROM quantity WHERE name = ? AND unit = ? AND adding = ?"),
      new_quantity_(database, "INSERT INTO quantity VALUES (NULL, ?, ?, ?)"),
      find_item_(database, "SELECT id FROM coverage_item WHERE kind = ? AND name = ?"),
      new_item_(database, "INSERT INTO coverage_item VALUES (NULL, ?, ?)") {}

std::string_view verdict_of(const RunRecord& record) {
  return record.end == RunEnd::died ? kDied.name : verdict_name(record.exit_code);
}

std::optional<std::int64_t> RunWriter::insert_scalars(const NewRun& place,
                                                      const RunRecord& record) {
  if (!run_.prepared()) return std::nullopt;
  run_.bind(place.point).bind(place.number).bind(place.key).bind(verdict_of(record));
  RunRecord::each_scalar(record, [&](std::string_view name, const auto& field) {
    if (name != kPointColumn) bind_scalar(name, field, run_);
  });
  if (!run_.run()) return std::nullopt;
  return sqlite3_changes(database_) == 0 ? kThere : sqlite3_last_insert_rowid(database_);
}

std::optional<std::int64_t> RunWriter::add(const NewRun& place, const RunRecord& record) {
  return add(place, record, first_violations(record));
}

std::optional<std::int64_t> RunWriter::add(const NewRun& place, const RunRecord& record,
                                           const std::vector<ViolationRow>& violations) {
  const auto id = insert_scalars(place, record);
  if (!id || *id == kThere) return id;
  const bool added = add_metrics(*id, record) && add_findings(*id, record) &&
                     add_violations(*id, violations) &&
                     add_coverage(*id, kMarkCoverage, record.marks) &&
                     add_coverage(*id, kCornerCoverage, record.corner_cases) &&
                     add_coverage(*id, kObligationCoverage, record.obligations) &&
                     add_coverage(*id, kFaultKindCoverage, record.fault_kinds);
  return added ? id : std::nullopt;
}

std::optional<std::uint64_t> RunWriter::seal(std::int64_t id) {
  const auto contents = contents_of_run(database_, id);
  if (!contents || !seal_.prepared()) return std::nullopt;
  if (!seal_.bind(fmt::format("{:016x}", contents->digest)).bind(id).run()) return std::nullopt;
  return contents->digest;
}

bool RunWriter::add_metrics(std::int64_t id, const RunRecord& record) {
  if (!metric_.prepared() || !histogram_.prepared()) return false;
  for (const Metric& each : record.metrics) {
    const auto quantity = quantity_of(each);
    if (!quantity || !metric_.bind(id).bind(*quantity).bind(each.value).run()) return false;
  }
  for (const StoredHistogram& each : record.histograms) {
    const HistogramRow row = histogram_row(each.data);
    histogram_.bind(id).bind(each.name).bind(row.count).bind(row.min_ns).bind(row.max_ns);
    if (!histogram_.bind(row.sum_ns).bind(row.buckets).run()) return false;
  }
  return true;
}

bool RunWriter::add_coverage(std::int64_t id, std::string_view kind,
                             const std::vector<NamedCount>& counts) {
  if (!coverage_.prepared()) return false;
  for (const NamedCount& each : counts) {
    const auto item = item_of(kind, each.name);
    if (!item) return false;
    coverage_.bind(id).bind(*item).bind(static_cast<std::int64_t>(each.count));
    if (!coverage_.run()) return false;
  }
  return true;
}

bool RunWriter::add_findings(std::int64_t id, const RunRecord& record) {
  if (!effect_.prepared() || !finding_.prepared()) return false;
  for (const FaultEffects& each : record.fault_effects) {
    effect_.bind(id).bind(each.kind).bind(name_of(each.state));
    if (!effect_.bind(static_cast<std::int64_t>(each.count)).run()) return false;
  }
  std::int64_t number = 0;
  for (const OracleFindings& each : record.findings) {
    finding_.bind(id).bind(number++).bind(each.oracle).bind(name_of(each.severity));
    finding_.bind(name_of(each.standing)).bind(static_cast<std::int64_t>(each.count));
    if (!finding_.run()) return false;
  }
  return true;
}

bool RunWriter::add_violations(std::int64_t id, const std::vector<ViolationRow>& violations) {
  if (!violation_.prepared()) return false;
  std::int64_t number = 0;
  for (const ViolationRow& found : violations) {
    violation_.bind(id).bind(number++).bind(found.oracle).bind(name_of(found.severity));
    violation_.bind(nanoseconds_of(found.at));
    violation_.bind(found.process.empty() ? std::nullopt : std::optional(found.process));
    violation_.bind(found.event.empty() ? std::nullopt : std::optional(found.event));
    if (!violation_.bind(found.message).run()) return false;
  }
  return true;
}

std::optional<std::int64_t> RunWriter::quantity_of(const Metric& metric) {
  const std::string key =
      fmt::format("{} {} {}", name_of(metric.unit), name_of(metric.adding), metric.name);
  if (const auto found = quantities_.find(key); found != quantities_.end()) return found->second;
  if (!find_quantity_.prepared() || !new_quantity_.prepared()) return std::nullopt;
  find_quantity_.bind(metric.name).bind(name_of(metric.unit)).bind(name_of(metric.adding));
  const int step = find_quantity_.step();
  std::int64_t id = step == SQLITE_ROW ? find_quantity_.whole(0) : 0;
  find_quantity_.reset();
  if (step == SQLITE_DONE) {
    new_quantity_.bind(metric.name).bind(name_of(metric.unit)).bind(name_of(metric.adding));
    if (!new_quantity_.run()) return std::nullopt;
    id = sqlite3_last_insert_rowid(database_);
  } else if (step != SQLITE_ROW) {
    return std::nullopt;
  }
  quantities_.emplace(key, id);
  return id;
}

std::optional<std::int64_t> RunWriter::item_of(std::string_view kind, const std::string& name) {
  const std::pair key(std::string(kind), name);
  if (const auto found = items_.find(key); found != items_.end()) return found->second;
  if (!find_item_.prepared() || !new_item_.prepared()) return std::nullopt;
  const int step = find_item_.bind(kind).bind(name).step();
  std::int64_t id = step == SQLITE_ROW ? find_item_.whole(0) : 0;
  find_item_.reset();
  if (step == SQLITE_DONE) {
    if (!new_item_.bind(kind).bind(name).run()) return std::nullopt;
    id = sqlite3_last_insert_rowid(database_);
  } else if (step != SQLITE_ROW) {
    return std::nullopt;
  }
  items_.emplace(key, id);
  return id;
}

std::optional<RunRecord> read_record(sqlite3* database, std::int64_t id) {
  RunRecord record;
  const std::string query = "SELECT " + column_list() + "id FROM run WHERE id = ?";
  Statement row(database, query.c_str());
  if (!row.prepared() || row.bind(id).step() != SQLITE_ROW) return std::nullopt;
  bool read = true;
  int column = 0;
  RunRecord::each_scalar(record, [&](std::string_view name, auto& field) {
    if (name != kPointColumn) read = read_scalar(name, row, column++, field) && read;
  });
  if (!read || !read_lists(database, id, record)) return std::nullopt;
  return record;
}

}  // namespace photon::analysis
