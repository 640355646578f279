#include "models/trace_log.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "core_impl/base/hash.h"
#include "models/tables/table_reader.h"

namespace photon::models {
namespace {

// The rows by their ids, for look-ups by text.
struct IdHash {
  using is_transparent = void;
  using is_avalanching = void;
  const TraceRows* rows;
  std::uint64_t operator()(std::string_view id) const {
    return hash_bytes(std::as_bytes(std::span(id)));
  }
  std::uint64_t operator()(std::uint32_t row) const { return (*this)(rows->id(row)); }
};
struct IdEqual {
  using is_transparent = void;
  const TraceRows* rows;
  bool operator()(std::uint32_t a, std::uint32_t b) const { return rows->id(a) == rows->id(b); }
  bool operator()(std::uint32_t a, std::string_view b) const { return rows->id(a) == b; }
  bool operator()(std::string_view a, std::uint32_t b) const { return a == rows->id(b); }
};
using IdIndex = boost::unordered_flat_set<std::uint32_t, IdHash, IdEqual>;

// Reads the files of one table.
class TableLoader {
 public:
  TableLoader(const TraceTable& table, TraceRows& rows, InputFaults& faults)
      : table_(table), rows_(rows), faults_(faults), index_(0, IdHash{&rows}, IdEqual{&rows}) {}

  // `primaries`: of these foreigns; null for primaries.
  struct Keys {
    const TableLoader* primaries = nullptr;
    Dangling dangling = Dangling::error;
  };
  void read(const Keys& keys) {
    keys_ = keys;
    for (std::size_t i = 0; i < table_.files.size() && !full_; ++i) {
      file_ = static_cast<std::uint16_t>(i);
      read_file();
    }
  }
  // All rows could be read: an id that is not among them does not exist.
  bool is_complete() const { return complete_; }
  std::uint32_t find(std::string_view id) const {
    const auto found = index_.find(id);
    return found == index_.end() ? TraceRows::kUnknownKey : *found;
  }
  // Of the times that were read.
  TimeForm form() const { return form_.value_or(TimeForm::seconds); }
  std::string role() const { return keys_.primaries == nullptr ? "primary" : "foreign"; }

 private:
  const std::string& file() const { return table_.files[file_]; }
  void fault(std::uint64_t line, std::string message, std::string remedy) {
    faults_.add({file(), line, std::move(message), std::move(remedy)});
  }

  // `key`: of the scenario, that names the column.
  std::optional<std::size_t> require(const TableReader& reader, const std::string& name,
                                     std::string_view key) {
    const auto found = reader.column(name);
    if (!found) {
      std::string known;
      for (const std::string& column : reader.columns())
        known += (known.empty() ? "" : ", ") + column;
      fault(1, "there is no column '" + name + "'",
            fmt::format("the header names {}; set workload.{}.{} to one of them", known, role(),
                        key));
    }
    return found;
  }

  void read_file() {
    TableReader reader(file(), faults_);
    if (!reader.has_header()) {
      complete_ = false;
      return;
    }
    const auto id = require(reader, table_.id, "id");
    const auto time = require(reader, table_.time, "time");
    const auto key =
        keys_.primaries == nullptr ? id : require(reader, table_.primary_id, "primary_id");
    if (!id || !time || !key) {
      complete_ = false;
      return;
    }
    while (!full_ && reader.next()) add(reader, *id, *time, *key);
    if (reader.has_faults()) complete_ = false;
  }

  void add(const TableReader& reader, std::size_t id, std::size_t time, std::size_t key) {
    line_ = reader.line();
    TraceRows::Fields fields;
    fields.id = reader.fields()[id];
    fields.key = keys_.primaries == nullptr ? std::string_view() : reader.fields()[key];
    TraceRows::Row row;
    row.file = file_;
    row.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(line_, kMostLines));
    row.time = time_of(reader.fields()[time]);
    if (fields.id.size() > TraceRows::kMostId || fields.key.size() > TraceRows::kMostId) {
      complete_ = false;
      return fault(line_, fmt::format("an id is longer than {} bytes", TraceRows::kMostId),
                   "is this the right column?");
    }
    if (!fields.key.empty()) row.primary = primary_of(fields.key);
    text_.clear();
    for (std::size_t i = 0; i < reader.fields().size(); ++i) {
      if (i > 0) text_ += ',';
      if (i == id) fields.id_at = text_.size();
      text_ += reader.fields()[i];
    }
    fields.text = text_;
    if (!rows_.add(row, fields)) {
      full_ = true;
      return fault(line_, "the log is larger than 16 GiB", "split it");
    }
    if (fields.id.empty()) {
      return fault(line_, "the id is empty", "every row needs an id of its own");
    }
    check_unique(rows_.size() - 1);
  }

  std::uint32_t primary_of(std::string_view key) {
    const std::uint32_t found = keys_.primaries->find(key);
    const bool missing = found == TraceRows::kUnknownKey && keys_.primaries->is_complete();
    if (missing && keys_.dangling == Dangling::error) {
      const std::vector<std::string>& files = keys_.primaries->table_.files;
      const std::string where =
          files.size() == 1 ? files.front()
                            : fmt::format("{} and {} more", files.front(), files.size() - 1);
      fault(line_, fmt::format("the primary '{}' does not exist in {}", key, where),
            "repair the key, or allow it with workload.foreign.dangling = \"allow\"");
    }
    return found;
  }

  void check_unique(std::uint32_t row) {
    const auto [place, fresh] = index_.insert(row);
    if (fresh) return;
    const TraceRows::Row& first = rows_[*place];
    const std::string where = first.file == file_
                                  ? fmt::format("line {}", first.line)
                                  : fmt::format("{}:{}", table_.files[first.file], first.line);
    fault(line_, fmt::format("the id '{}' stands already in {}", rows_.id(row), where),
          "ids must be unique; remove one of the rows");
  }

  // The first time, which shows no form.
  void ask_for_form(std::string_view text) {
    if (!parse_time(text, TimeForm::seconds)) {
      return fault(line_, fmt::format("'{}' is not a time", text),
                   "write 2026-11-26T10:00:00Z, or seconds, ms, us or ns since 1970");
    }
    fault(line_, fmt::format("the unit of the time '{}' cannot be told", text),
          fmt::format("state it: workload.{}.unit = \"s\", \"ms\", \"us\", \"ns\" or "
                      "\"iso8601\"",
                      role()));
  }

  // Zero, and a fault, if the text is none.
  std::int64_t time_of(std::string_view text) {
    if (!form_) form_ = table_.form ? table_.form : recognise(text);
    if (!form_) {
      if (!asked_) {
        ask_for_form(text);
      }
      asked_ = true;
      return 0;
    }
    const auto parsed = parse_time(text, *form_);
    if (parsed) return parsed.assume_value();
    const std::string unit = fmt::format("workload.{}.unit", role());
    if (parsed.assume_error() == TimeFault::out_of_range) {
      fault(line_, fmt::format("the time '{}' is out of range", text),
            fmt::format("times lie within 73 years of {}; does {} name the right unit?",
                        *form_ == TimeForm::iso8601 ? "1970" : "zero", unit));
    } else if (parsed.assume_error() == TimeFault::too_fine) {
      fault(line_, fmt::format("the time '{}' is finer than a nanosecond", text),
            fmt::format("leave out the digits below; does {} name the right unit?", unit));
    } else {
      fault(line_, fmt::format("'{}' is not a time", text), expected_form(text, unit));
    }
    return 0;
  }

  std::string expected_form(std::string_view text, const std::string& unit) const {
    if (const auto other = recognise(text); other && *other != *form_) {
      return fmt::format("it looks like {}, but {} is \"{}\"", name_of(*other),
                         table_.form ? unit : "the row before it", name_of(*form_));
    }
    return *form_ == TimeForm::iso8601
               ? "ISO 8601, as in 2013-06-22T08:30:00.5Z"
               : "give a decimal number in the unit that the scenario names";
  }

  static constexpr std::uint64_t kMostLines = std::numeric_limits<std::uint32_t>::max();
  const TraceTable& table_;
  TraceRows& rows_;
  InputFaults& faults_;
  IdIndex index_;
  Keys keys_{};
  std::uint16_t file_ = 0;
  std::uint64_t line_ = 0;
  std::string text_;
  std::optional<TimeForm> form_{};
  bool asked_ = false;
  bool complete_ = true;
  bool full_ = false;
};

}  // namespace

Result<TraceLog, InputFaults> read_trace_log(const TraceTable& primary, const TraceTable& foreign,
                                             Dangling dangling) {
  TraceLog log;
  InputFaults faults;
  TableLoader primaries(primary, log.primaries, faults);
  primaries.read({});
  TableLoader foreigns(foreign, log.foreigns, faults);
  foreigns.read({&primaries, dangling});
  if (faults.empty() && log.foreigns.size() == 0) {
    faults.add({foreign.files.empty() ? "workload.foreign.file" : foreign.files.front(), 0,
                "the table has no rows", "a trace needs at least one click"});
  }
  if (!faults.empty()) return faults;
  log.primary_form = primaries.form();
  log.foreign_form = foreigns.form();
  return log;
}

}  // namespace photon::models
