#include "analysis/results/series_metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace photon::analysis {
namespace {

constexpr std::string_view kSeries = "series.";
constexpr std::string_view kPattern = "NNNN";

class Intervals {
 public:
  void add(std::string_view name, const std::vector<std::uint64_t>& column) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      put(name, i, Unit::count, static_cast<double>(column[i]));
    }
  }
  void add(std::string_view name, const LatencyColumn& column) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i]) put(name, i, Unit::seconds, *column[i]);
    }
  }
  void add_pipeline(std::string_view place, const PipelineSeries& pipeline) {
    const auto named = [&](std::string_view of) { return fmt::format("{}.{}", of, place); };
    constexpr std::size_t kP90 = 1;
    static_assert(PipelineSeries::kQuantileNames[kP90] == "p90");
    add(named("joins"), pipeline.joins);
    add(named("finished"), pipeline.finished);
    add(named("backlog"), pipeline.backlog);
    add(named("total_p90"), pipeline.latency[kP90]);
    add(named("own_p90"), pipeline.own[kP90]);
  }
  void add_length(double seconds) {
    list_.push_back(
        {std::string(kSeries) + "interval_seconds", Unit::seconds, Adding::none, seconds});
  }
  std::vector<Metric> take() { return std::move(list_); }

 private:
  void put(std::string_view name, std::size_t interval, Unit unit, double value) {
    list_.push_back(
        {fmt::format("{}{}.{:04}", kSeries, name, interval), unit, Adding::none, value});
  }

  std::vector<Metric> list_{};
};

// What is before the number of the interval, "series.offered."; empty: it has none.
std::string_view before_number(std::string_view name) {
  if (!name.starts_with(kSeries) || name.size() < kSeries.size() + kPattern.size()) return {};
  const std::string_view number = name.substr(name.size() - kPattern.size());
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::ranges::all_of(number, digit)) return {};
  std::size_t value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  if (value >= kMostIntervals) return {};
  const std::string_view rest = name.substr(0, name.size() - kPattern.size());
  return rest.ends_with('.') ? rest : std::string_view();
}

}  // namespace

std::vector<Metric> series_metrics(const TimeSeries& series) {
  Intervals intervals;
  if (series.interval_seconds == 0) return {};
  intervals.add_length(series.interval_seconds);
  intervals.add("offered", series.offered);
  intervals.add("served", series.served);
  if (series.pipelines.empty()) return intervals.take();
  intervals.add("queries_from_caches", series.queries_from_caches);
  intervals.add("queries_from_logs", series.queries_from_logs);
  intervals.add_pipeline("first_pipeline", series.pipelines.front());
  intervals.add_pipeline("last_pipeline", series.pipelines.back());
  return intervals.take();
}

bool is_of_series(std::string_view name) { return name.starts_with(kSeries); }

std::string of_first_interval(std::string_view name) {
  const std::string_view before = before_number(name);
  return before.empty() ? std::string(name) : std::string(before) + "0000";
}

std::string of_interval_of(std::string_view name, std::string_view known) {
  const std::string_view before = before_number(known);
  if (before.empty() || before_number(name).empty()) return std::string(known);
  return std::string(before).append(name.substr(name.size() - kPattern.size()));
}

std::string pattern_of_intervals(std::string_view name) {
  const std::string_view before = before_number(name);
  return before.empty() ? std::string(name) : std::string(before).append(kPattern);
}

std::string of_pattern(std::string_view name) {
  if (!is_of_series(name) || !name.ends_with(kPattern)) return std::string(name);
  return std::string(name.substr(0, name.size() - kPattern.size())) + "0000";
}

}  // namespace photon::analysis
