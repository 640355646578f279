#include "models/trace_workload.h"

#include <algorithm>
#include <limits>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/event.h"
#include "core_impl/logs/event_id_generator.h"
#include "models/payload.h"

namespace photon::models {
namespace {

const std::uint32_t kProcess = logs::process_field(1, Incarnation(1));
constexpr std::size_t kMostRowText = 256;

struct TextHash {
  using is_avalanching = void;
  std::uint64_t operator()(const std::string& text) const {
    return hash_bytes(std::as_bytes(std::span(text)));
  }
};

// One row on its way to becoming an event.
struct Row {
  std::int64_t time = 0;  // ns in the file's own epoch
  std::uint64_t line = 0;
  std::string id;
  std::string primary;
  std::uint32_t server = 0;  // index in its table's servers
  std::uint64_t end = 0;     // offset after its record
  EventId event{};
  Bytes payload;
};

enum class TimeFault : std::uint8_t { not_a_number, out_of_range, too_fine };

// So that the distance of any two times is a Duration, and sums of a few of them still are.
constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max() / 4;

// "12", "-3", "12.345": a decimal number of units, exactly, in nanoseconds.
Result<std::int64_t, TimeFault> parse_time(std::string_view text, std::int64_t unit_ns) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.front() == '.') return TimeFault::not_a_number;
  __extension__ using Wide = __int128;
  Wide total = 0;
  Wide scale = unit_ns;
  bool fraction = false;
  bool too_fine = false;  // a digit that is no whole number of nanoseconds
  for (const char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9') return TimeFault::not_a_number;
    if (fraction) {
      if ((scale == 0 || scale % 10 != 0) && c != '0') too_fine = true;
      scale /= 10;
      total += scale * (c - '0');
    } else if (total <= kFarthest) {  // beyond it the digits only need to be valid
      total = total * 10 + static_cast<Wide>(unit_ns) * (c - '0');
    }
  }
  if (total > kFarthest) return TimeFault::out_of_range;
  if (too_fine) return TimeFault::too_fine;
  const auto value = static_cast<std::int64_t>(total);
  return negative ? -value : value;
}

}  // namespace

// Rows of one server, in order of time, with their bytes.
class TraceWorkload::RowLog final : public EventLog {
 public:
  explicit RowLog(logs::LogFile file) : file_(file) {}

  template <class Event>
  std::uint64_t add(SimTime at, const Event& event) {
    append_encoded(event, bytes_);
    times_.push_back(at);
    ids_.push_back(event.id);
    ends_.push_back(bytes_.size());
    return bytes_.size();
  }

  logs::LogFile file() const override { return file_; }
  std::uint64_t length_before(SimTime at) override {
    const auto count = std::ranges::lower_bound(times_, at) - times_.begin();
    return count == 0 ? 0 : ends_[static_cast<std::size_t>(count) - 1];
  }
  std::optional<SimTime> next_generation(SimTime at) override {
    const auto next = std::ranges::lower_bound(times_, at);
    if (next == times_.end()) return std::nullopt;
    return *next;
  }
  LoggedRecord record_at(std::uint64_t offset) override {
    const auto row =
        static_cast<std::size_t>(std::ranges::upper_bound(ends_, offset) - ends_.begin());
    return {row == 0 ? 0 : ends_[row - 1], ends_[row], times_[row], ids_[row]};
  }
  void read(std::uint64_t offset, std::uint64_t length, Bytes& out) override {
    const auto range = std::span<const std::byte>(bytes_).subspan(offset, length);
    out.insert(out.end(), range.begin(), range.end());
  }

 private:
  logs::LogFile file_;
  std::vector<SimTime> times_;
  std::vector<EventId> ids_;
  std::vector<std::uint64_t> ends_;
  Bytes bytes_;
};

class TraceWorkload::Loader {
 public:
  Loader(const Options& options, const sim::ClockModel& clocks)
      : options_(options), clocks_(clocks) {}

  Result<std::unique_ptr<TraceWorkload>, InputFaults> run() {
    std::vector<Row> primaries = rows_of(options_.primary, Kind::primary);
    std::vector<Row> foreigns = rows_of(options_.foreign, Kind::foreign);
    const LineIndex primary_lines = index(primaries, options_.primary.file);
    index(foreigns, options_.foreign.file);
    if (primaries_known_) check_keys(foreigns, primary_lines);
    if (faults_.empty() && foreigns.empty()) {
      fault(options_.foreign.file, 0, "the table has no rows", "a trace needs at least one click");
    }
    if (!faults_.empty()) return std::move(faults_);
    std::ranges::stable_sort(primaries, {}, &Row::time);
    std::ranges::stable_sort(foreigns, {}, &Row::time);
    origin_ = std::numeric_limits<std::int64_t>::max();
    for (const Row& row : primaries) origin_ = std::min(origin_, row.time);
    for (const Row& row : foreigns) origin_ = std::min(origin_, row.time);
    workload_.reset(new TraceWorkload());
    place(primaries, Kind::primary);
    for (std::size_t i = 0; i < primaries.size(); ++i) by_id_[primaries[i].id] = i;
    place(foreigns, Kind::foreign);
    describe(primaries, foreigns);
    return std::move(workload_);
  }

 private:
  enum class Kind : std::uint8_t { primary, foreign };
  using LineIndex = boost::unordered_flat_map<std::string, std::uint64_t, TextHash>;

  void add(InputFault fault) {
    if (faults_.size() < kMostFaults) faults_.push_back(std::move(fault));
  }
  void fault(const std::string& file, std::uint64_t line, std::string message, std::string remedy) {
    add({file, line, std::move(message), std::move(remedy)});
  }

  // All rows in file order, those with a fault too, so that one fault does not hide others.
  std::vector<Row> rows_of(const Table& table, Kind kind) {
    PHOTON_CHECK(table.servers > 0 && table.unit_ns > 0, "a table has servers and a unit of time");
    auto csv = read_csv(table.file);
    if (!csv) {
      if (kind == Kind::primary) primaries_known_ = false;
      for (InputFault& each : csv.assume_error()) add(std::move(each));
      return {};
    }
    const auto id = require(csv.assume_value(), table.id);
    const auto time = require(csv.assume_value(), table.time);
    const auto primary = kind == Kind::foreign ? require(csv.assume_value(), table.primary_id) : id;
    if (!id || !time || !primary) {
      if (kind == Kind::primary) primaries_known_ = false;
      return {};
    }
    if (kind == Kind::primary) primaries_known_ = csv.assume_value().faults.empty();
    for (InputFault& each : csv.assume_value().faults) add(std::move(each));
    std::vector<Row> rows;
    for (CsvRow& source : csv.assume_value().rows) {
      Row row;
      row.line = source.line;
      row.payload = payload_of(source, source.fields[*id]);
      row.time = time_of(table, row.line, source.fields[*time]);
      if (kind == Kind::foreign) row.primary = source.fields[*primary];
      row.id = std::move(source.fields[*id]);
      if (row.id.empty()) {
        fault(table.file, row.line, "the id is empty", "every row needs an id of its own");
      }
      row.server = static_cast<std::uint32_t>(TextHash{}(row.id) % table.servers);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  // Zero, and a fault, if the text is none.
  std::int64_t time_of(const Table& table, std::uint64_t line, const std::string& text) {
    const auto parsed = parse_time(text, table.unit_ns);
    if (parsed) return parsed.assume_value();
    if (parsed.assume_error() == TimeFault::out_of_range) {
      fault(table.file, line, "the time '" + text + "' is out of range",
            "times lie within 73 years of zero; does the scenario name the right unit?");
    } else if (parsed.assume_error() == TimeFault::too_fine) {
      fault(table.file, line, "the time '" + text + "' is finer than a nanosecond",
            "leave out the digits below; does the scenario name the right unit?");
    } else {
      fault(table.file, line, "'" + text + "' is not a time",
            "give a decimal number in the unit that the scenario names");
    }
    return 0;
  }

  std::optional<std::size_t> require(const CsvTable& table, const std::string& name) {
    const auto found = table.column(name);
    if (!found) {
      std::string known;
      for (const std::string& column : table.columns) known += (known.empty() ? "" : ", ") + column;
      fault(table.file, 1, "there is no column '" + name + "'",
            "the header names " + known + "; set the column's name in the scenario");
    }
    return found;
  }

  static Bytes payload_of(const CsvRow& row, const std::string& id) {
    Bytes payload;
    Encoder encoder(payload);
    encoder(campaign_of(TextHash{}(id)));
    std::string text;
    for (const std::string& field : row.fields) text += field + ',';
    text.pop_back();
    encoder.raw(std::as_bytes(std::span(text)).first(std::min(text.size(), kMostRowText)));
    return payload;
  }

  LineIndex index(const std::vector<Row>& rows, const std::string& file) {
    LineIndex lines;
    for (const Row& row : rows) {
      if (row.id.empty()) continue;
      const auto [place, fresh] = lines.emplace(row.id, row.line);
      if (!fresh) {
        fault(file, row.line,
              "the id '" + row.id + "' stands already in line " + std::to_string(place->second),
              "ids must be unique; remove one of the rows");
      }
    }
    return lines;
  }

  void check_keys(const std::vector<Row>& foreigns, const LineIndex& known) {
    if (options_.dangling == Dangling::allowed) return;
    for (const Row& row : foreigns) {
      if (row.primary.empty() || known.contains(row.primary)) continue;
      fault(options_.foreign.file, row.line,
            "the primary '" + row.primary + "' does not exist in " + options_.primary.file,
            "repair the key, or allow it with workload.foreign.dangling = \"allow\"");
    }
  }

  SimTime sim_time(const Row& row) const {
    return SimTime(Duration(row.time - origin_) + options_.lead);
  }

  // Gives every row its event id and its place in its server's log.
  void place(std::vector<Row>& rows, Kind kind) {
    const bool primary = kind == Kind::primary;
    const std::uint32_t servers = primary ? options_.primary.servers : options_.foreign.servers;
    const std::uint32_t first = primary ? 0 : options_.primary.servers;
    std::vector<logs::EventIdGenerator> generators;
    std::vector<RowLog*> files;
    for (std::uint32_t i = 0; i < servers; ++i) {
      const auto type = primary ? logs::LogType::primary : logs::LogType::foreign;
      const auto address = static_cast<std::uint16_t>(first + i + 1);
      auto log = std::make_unique<RowLog>(logs::LogFile{type, address, 0});
      files.push_back(log.get());
      generators.emplace_back(address, kProcess);
      workload_->logs_.push_back(std::move(log));
    }
    for (Row& row : rows) {
      const SimTime at = sim_time(row);
      const sim::HostId host(options_.first_host + first + row.server);
      clocks_.wall_used(host, at);
      row.event = generators[row.server].next_id(clocks_.wall(host, at));
      row.end = primary ? files[row.server]->add(at, logs::PrimaryEvent{row.event, row.payload})
                        : files[row.server]->add(
                              at, logs::ForeignEvent{row.event, foreign_key(row), row.payload});
      workload_->end_ = std::max(workload_->end_, at + Duration(1));
      row.server += first;
    }
    if (primary) primaries_ = &rows;
  }

  // The id of the row's primary. A dangling key names an event that no log holds.
  EventId foreign_key(const Row& row) const {
    if (row.primary.empty()) return EventId{};
    const auto found = by_id_.find(row.primary);
    if (found != by_id_.end()) return (*primaries_)[found->second].event;
    return {0, kProcess, Stamp(Duration(static_cast<std::int64_t>(TextHash{}(row.primary) >> 1U)))};
  }

  void describe(const std::vector<Row>& primaries, const std::vector<Row>& foreigns) {
    for (const Row& row : foreigns) {
      GeneratedClick click;
      click.at = sim_time(row);
      trace::ClickGenerated& truth = click.truth;
      truth.click = row.event;
      truth.query = foreign_key(row);
      truth.click_end = row.end;
      truth.click_file =
          logs::LogFile{logs::LogType::foreign, static_cast<std::uint16_t>(row.event.server), 0}
              .number();
      truth.query_file = trace::ClickGenerated::kNoFile;
      const auto found = row.primary.empty() ? by_id_.end() : by_id_.find(row.primary);
      if (found != by_id_.end()) {
        const Row& primary = primaries[found->second];
        truth.query_end = primary.end;
        truth.query_file = logs::LogFile{logs::LogType::primary,
                                         static_cast<std::uint16_t>(primary.event.server), 0}
                               .number();
        const std::uint32_t campaign = campaign_of(TextHash{}(primary.id));
        state_join(options_.join, {row.payload, primary.payload, campaign}, truth);
      }
      workload_->clicks_.push_back(click);
    }
  }

  const Options& options_;
  const sim::ClockModel& clocks_;
  InputFaults faults_;
  bool primaries_known_ = true;  // all rows were read: a missing key does not exist
  boost::unordered_flat_map<std::string, std::size_t, TextHash> by_id_;  // primary id -> row
  const std::vector<Row>* primaries_ = nullptr;
  std::int64_t origin_ = 0;
  std::unique_ptr<TraceWorkload> workload_;
};

TraceWorkload::TraceWorkload() = default;
TraceWorkload::~TraceWorkload() = default;

Result<std::unique_ptr<TraceWorkload>, InputFaults> TraceWorkload::load(
    const Options& options, const sim::ClockModel& clocks) {
  return Loader(options, clocks).run();
}

std::optional<GeneratedClick> TraceWorkload::next_click() {
  if (next_ == clicks_.size()) return std::nullopt;
  return clicks_[next_++];
}

}  // namespace photon::models
