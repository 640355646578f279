#include "scenarios/world/trace_warnings.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "models/tables/time_text.h"
#include "scenarios/config/units.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/world/trace_facts.h"

namespace photonsim::scenarios {
namespace {

namespace models = photon::models;

// One of the two tables, and what the scenario says about it.
struct Table {
  std::string_view key;  // "workload.primary"
  const models::TraceRows& rows;
  const std::vector<std::string>& files;
  TimeUnit unit;
  models::TimeForm form;

  std::string time(std::uint32_t row) const { return models::time_text(rows[row].time, form); }
  std::string place(std::uint32_t row) const {
    return fmt::format("{}:{}", files[rows[row].file], rows[row].line);
  }
};

class Warnings {
 public:
  Warnings(const Config& config, const models::TraceLog& log)
      : config_(config),
        range_(range_of(log)),
        log_end_(config.run.warm_up + range_.span()),
        primaries_{"workload.primary", log.primaries, config.workload.primary.files,
                   config.workload.primary.unit, log.primary_form},
        foreigns_{"workload.foreign", log.foreigns, config.workload.foreign.files,
                  config.workload.foreign.unit, log.foreign_form} {}

  std::vector<std::string> all() {
    for (const Table* table : {&primaries_, &foreigns_}) {
      units(*table);
      far_rows(*table);
    }
    if (list_.empty()) age();  // the others explain it
    if (list_.empty()) zeros();
    if (config_.run.duration) length(*config_.run.duration);
    late_faults();
    late_operations();
    return std::move(list_);
  }

 private:
  static constexpr std::string_view kSameZero =
      "do both tables count from the same zero, in one time zone?";

  void warn(std::string_view problem, std::string_view remedy) {
    list_.push_back(fmt::format("{}; {}", problem, remedy));
  }

  // A stated unit of numbers. What is recognised leaves no doubt.
  void units(const Table& table) {
    constexpr std::uint32_t kManyRows = 100;
    if (table.rows.size() == 0 || table.unit == TimeUnit::kAuto) return;
    if (table.form == models::TimeForm::iso8601) return;
    const std::string unit =
        fmt::format("{}.unit = \"{}\"", table.key, models::name_of(table.form));
    const std::string time = table.time(0);
    if (const auto other = models::recognise(time); other && *other != table.form) {
      const std::int64_t since_1970 = models::parse_time(time, *other).value();
      return warn(fmt::format("{}, but the time {} in {} looks like {} since 1970 ({})", unit, time,
                              table.place(0), models::name_of(*other),
                              models::time_text(since_1970, models::TimeForm::iso8601)),
                  fmt::format("state {}.unit = \"{}\", unless the times count from another zero",
                              table.key, models::name_of(*other)));
    }
    const Duration span = range_of(table.rows)->span();
    if (table.rows.size() < kManyRows || span >= 1s) return;
    warn(fmt::format("with {} all {} of {}.file lie within {}", unit,
                     photon::analysis::counted(table.rows.size(), "row"), table.key,
                     length_text(span)),
         fmt::format("does {}.unit name the right unit?", table.key));
  }

  // Tables that count from two zeros, such as two time zones, turn the order around, or keep every
  // foreign away from its primary by about the same time.
  void zeros() {
    constexpr std::size_t kLeastPairs = 20;
    constexpr Duration kNarrowestZone = 30min;
    std::vector<std::int64_t> delays;
    for (std::uint32_t i = 0; i < foreigns_.rows.size(); ++i) {
      const std::uint32_t primary = foreigns_.rows[i].primary;
      if (primary >= primaries_.rows.size()) continue;
      delays.push_back(foreigns_.rows[i].time - primaries_.rows[primary].time);
    }
    if (delays.empty() && foreigns_.rows.size() > 0) {
      return warn(
          fmt::format("no foreign names a primary of the log, of {}", foreigns_.rows.size()),
          "does workload.foreign.primary_id name the right column?");
    }
    const auto before = std::ranges::count_if(delays, [](std::int64_t each) { return each < 0; });
    if (2 * static_cast<std::size_t>(before) > delays.size()) {
      return warn(
          fmt::format("{} of {} foreigns are earlier than their primary", before, delays.size()),
          kSameZero);
    }
    if (delays.size() < kLeastPairs) return;
    std::ranges::sort(delays);
    const Duration least{delays.front()};
    if (least < kNarrowestZone || Duration(delays[delays.size() / 2]) > 2 * least) return;
    warn(fmt::format("every foreign follows its primary by {} or more, half of them by less than "
                     "{}",
                     length_text(least), length_text(Duration(delays[delays.size() / 2]))),
         kSameZero);
  }

  void age() {
    constexpr Duration kLongest = std::chrono::hours(24 * 365 * 50);
    if (range_.span() <= kLongest) return;
    warn(fmt::format("the log lasts {}, with primaries from {} ({}) and foreigns from {} ({})",
                     length_text(range_.span()), first_time(primaries_),
                     models::name_of(primaries_.form), first_time(foreigns_),
                     models::name_of(foreigns_.form)),
         "do workload.primary.unit and workload.foreign.unit name the right units, and do both "
         "tables count from the same zero?");
  }

  static std::string first_time(const Table& table) {
    const auto range = range_of(table.rows);
    return range ? models::time_text(range->first, table.form) : "none";
  }

  // At most 1 % of the rows, and at most three, that lie much farther from all others than these
  // lie from each other.
  void far_rows(const Table& table) {
    constexpr std::uint32_t kLeastRows = 20;
    constexpr std::uint32_t kMostFar = 3;
    const models::TraceRows& rows = table.rows;
    if (rows.size() < kLeastRows) return;
    const auto time = [&](std::uint32_t row) { return rows[row].time; };
    std::vector<std::uint32_t> indices(rows.size());
    std::iota(indices.begin(), indices.end(), std::uint32_t{0});
    std::array<std::uint32_t, kMostFar + 1> low{};   // the earliest rows, ascending
    std::array<std::uint32_t, kMostFar + 1> high{};  // the latest rows, descending
    std::ranges::partial_sort_copy(indices, low, std::ranges::less(), time, time);
    std::ranges::partial_sort_copy(indices, high, std::ranges::greater(), time, time);
    const std::uint32_t most = std::clamp(rows.size() / 100, 1U, kMostFar);
    for (std::uint32_t far = most; far > 0; --far) {
      for (std::uint32_t early = 0; early <= far; ++early) {
        const std::uint32_t late = far - early;
        const TimeRange others{time(low[early]), time(high[late])};
        const bool all_far = (early == 0 || is_far(others.first - time(low[early - 1]), others)) &&
                             (late == 0 || is_far(time(high[late - 1]) - others.last, others));
        if (!all_far) continue;
        for (std::uint32_t i = 0; i < early; ++i) far_row(table, low[i], others);
        for (std::uint32_t i = 0; i < late; ++i) far_row(table, high[i], others);
        return;
      }
    }
    many_far_rows(table, most);
  }

  // More than `few` of them, up to a tenth of the rows: said once.
  void many_far_rows(const Table& table, std::uint32_t few) {
    std::vector<std::int64_t> times;
    for (std::uint32_t row = 0; row < table.rows.size(); ++row) {
      times.push_back(table.rows[row].time);
    }
    std::ranges::sort(times);
    const std::size_t cut = times.size() / 10;
    const TimeRange others{times[cut], times[times.size() - 1 - cut]};
    const auto far = std::ranges::count_if(times, [&](std::int64_t each) {
      return is_far(std::max(others.first - each, each - others.last), others);
    });
    if (static_cast<std::size_t>(far) <= few || static_cast<std::size_t>(far) > cut) return;
    warn(fmt::format("{} of {} {} lie far from the others, which last {}; the log lasts {}", far,
                     times.size(), table.key.ends_with("primary") ? "primaries" : "foreigns",
                     length_text(others.span()),
                     length_text(Duration(times.back() - times.front()))),
         "correct their times or remove the rows, or the run lasts that long");
  }

  static bool is_far(std::int64_t distance, const TimeRange& others) {
    return Duration(distance) / 100 > std::max<Duration>(others.span(), 1s);
  }

  void far_row(const Table& table, std::uint32_t row, const TimeRange& others) {
    const std::int64_t time = table.rows[row].time;
    const bool before = time < others.first;
    const Duration distance(before ? others.first - time : time - others.last);
    warn(fmt::format("{}: the row '{}' of {} lies {} {} all others of its table, which last {}",
                     table.place(row), table.rows.id(row), table.time(row), length_text(distance),
                     before ? "before" : "after", length_text(others.span())),
         "correct its time or remove the row, or the run lasts that long");
  }

  void length(Duration duration) {
    if (duration == log_end_) return;
    const std::string stated = fmt::format("run.duration = {}", format_duration(duration));
    const std::string ends = fmt::format("the log ends {} after the start", length_text(log_end_));
    if (duration < log_end_) {
      return warn(fmt::format("{} is overruled: {}, and all of it is replayed", stated, ends),
                  "shorten the log, or state run.duration = \"auto\"");
    }
    warn(fmt::format("{} only lengthens the run: {}, and the rest has faults but no clicks", stated,
                     ends),
         "state run.duration = \"auto\" for the length of the log");
  }

  void late_faults() {
    Faults faults = config_.faults;  // scripts give access to entries that may change
    for (const FaultTable* table : kAllFaults) {
      const bool random = table == &random_faults::kRandomFaults;
      late_entries(table->schema.path, random ? "from" : "at", table->script.size(faults),
                   [&](std::size_t i) { return *table->script.place(faults, i).at; });
    }
  }

  void late_operations() {
    const auto late = [this](std::string_view table, const auto& entries) {
      late_entries(table, "at", entries.size(), [&](std::size_t i) { return entries[i].at; });
    };
    late("operations.reshard", config_.operations.reshards);
    late("operations.kill_master", config_.operations.kills);
    late("operations.move_master", config_.operations.moves);
    late("operations.forget_state", config_.operations.forgets);
  }

  template <class TimeOf>
  void late_entries(std::string_view table, std::string_view key, std::size_t size,
                    TimeOf time_of) {
    const Duration end = std::max(log_end_, config_.run.duration.value_or(Duration::zero()));
    for (std::size_t i = 0; i < size; ++i) {
      const Duration at = time_of(i);
      if (at <= end) continue;
      const std::string name = fmt::format("{}.{}.{}", table, i, key);
      warn(fmt::format("{} = {} has no effect: the {} ends after {}", name, format_duration(at),
                       end == log_end_ ? "log" : "run", length_text(end)),
           size == 1 ? fmt::format("state an earlier {}, or remove it (--set {}=[])", name, table)
                     : fmt::format("state an earlier {}, or remove the entry", name));
    }
  }

  const Config& config_;
  TimeRange range_;
  Duration log_end_;  // since the start of the run
  Table primaries_;
  Table foreigns_;
  std::vector<std::string> list_{};
};

}  // namespace

std::vector<std::string> trace_warnings(const Config& config, const models::TraceLog& log) {
  return Warnings(config, log).all();
}

}  // namespace photonsim::scenarios
