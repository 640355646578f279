#include "scenarios/world/trace_facts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "models/tables/time_text.h"

namespace photonsim::scenarios {
namespace {

namespace models = photon::models;
using photon::analysis::counted;

// "60 rows in 1 file, from 1750000009375 to 1750000590311 (ms, stated)"
std::string table_text(const models::TraceRows& rows, std::size_t files, TimeUnit unit,
                       models::TimeForm form) {
  const std::string size =
      fmt::format("{} in {}", counted(rows.size(), "row"), counted(files, "file"));
  const std::optional<TimeRange> range = range_of(rows);
  if (!range) return size;
  return fmt::format("{}, from {} to {} ({}, {})", size, models::time_text(range->first, form),
                     models::time_text(range->last, form), models::name_of(form),
                     unit == TimeUnit::kAuto ? "recognised" : "stated");
}

struct KeyCounts {
  std::uint64_t empty = 0;
  std::uint64_t unknown = 0;
};

KeyCounts keys_of(const models::TraceRows& foreigns) {
  KeyCounts counts;
  for (std::uint32_t i = 0; i < foreigns.size(); ++i) {
    counts.empty += foreigns[i].primary == models::TraceRows::kNoKey ? 1 : 0;
    counts.unknown += foreigns[i].primary == models::TraceRows::kUnknownKey ? 1 : 0;
  }
  return counts;
}

}  // namespace

std::optional<TimeRange> range_of(const models::TraceRows& rows) {
  if (rows.size() == 0) return std::nullopt;
  TimeRange range{rows[0].time, rows[0].time};
  for (std::uint32_t i = 1; i < rows.size(); ++i) {
    range.first = std::min(range.first, rows[i].time);
    range.last = std::max(range.last, rows[i].time);
  }
  return range;
}

TimeRange range_of(const models::TraceLog& log) {
  const TimeRange clicks = range_of(log.foreigns).value_or(TimeRange{});  // a log has some
  const TimeRange queries = range_of(log.primaries).value_or(clicks);
  return {std::min(clicks.first, queries.first), std::max(clicks.last, queries.last)};
}

std::string length_text(Duration length) {
  const double seconds = std::chrono::duration<double>(length).count();
  constexpr double kDay = 86'400;
  if (seconds < 2 * kDay) return photon::analysis::spoken(seconds);
  const double days = seconds / kDay;
  if (days < 100) return fmt::format("{:.1f} d", days);
  return photon::analysis::grouped(static_cast<std::uint64_t>(std::llround(days))) + " d";
}

std::string facts_text(const Config& config, const models::TraceLog& log) {
  const Workload& workload = config.workload;
  const KeyCounts keys = keys_of(log.foreigns);
  return fmt::format(
      "log\n"
      "  primaries  {}\n"
      "  foreigns   {}\n"
      "             {} with an empty key, {} with an unknown key\n"
      "  lasts      {}\n",
      table_text(log.primaries, workload.primary.files.size(), workload.primary.unit,
                 log.primary_form),
      table_text(log.foreigns, workload.foreign.files.size(), workload.foreign.unit,
                 log.foreign_form),
      photon::analysis::grouped(keys.empty), photon::analysis::grouped(keys.unknown),
      length_text(range_of(log).span()));
}

}  // namespace photonsim::scenarios
