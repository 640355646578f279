#include "analysis/reports/settling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/statistics/warm_up.h"

namespace photon::analysis {
namespace {

struct IntervalOwn {
  std::int64_t number = 0;
  std::vector<Duration> own{};

  // A mean would follow the few clicks that are tried again for minutes.
  double median() {
    const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
    std::ranges::nth_element(own, middle);
    return static_cast<double>(middle->count());
  }
};

// Those in which clicks were generated.
std::vector<IntervalOwn> intervals_of(const LatenciesByTime& latencies, Duration interval,
                                      SimTime measured_from) {
  std::vector<IntervalOwn> intervals;
  for (const JoinedLatency& each : latencies.all()) {
    if (each.generated_at() < measured_from) continue;
    const std::int64_t number = nanoseconds_of(each.generated_at()) / interval.count();
    if (intervals.empty() || intervals.back().number != number) intervals.push_back({number});
    intervals.back().own.push_back(each.own);
  }
  return intervals;
}

double mean_of(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Settling settling_of(const LatenciesByTime& latencies, Duration interval, SimTime measured_from,
                     bool faults) {
  Settling settling;
  if (faults) {
    settling.refused = "faults";
    return settling;
  }
  std::vector<IntervalOwn> intervals;
  if (interval > Duration::zero()) intervals = intervals_of(latencies, interval, measured_from);
  std::vector<double> medians;
  for (IntervalOwn& each : intervals) medians.push_back(each.median());
  const auto found = mser5(medians);
  if (!found) {
    settling.refused = found.assume_error() == WarmUpRefusal::series_too_short ? "series_too_short"
                                                                               : "not_settled";
    return settling;
  }
  const std::size_t length = found.assume_value().length;
  for (std::size_t i = 0; i < length; ++i) settling.clicks_before += intervals[i].own.size();
  settling.until_seconds = static_cast<double>(intervals[length].number) * seconds_of(interval);
  const std::span<const double> all(medians);
  settling.before = mean_of(all.first(length)) / 1e9;
  settling.after = mean_of(all.subspan(length)) / 1e9;
  return settling;
}

void put_settling(const Settling& settling, Lines& lines) {
  constexpr double kNoticed = 0.1;
  if (settling.clicks_before == 0) return;
  if (std::abs(settling.before - settling.after) <= kNoticed * settling.after) return;
  lines.title(fmt::format(
      "warm-up: until {} the median own share is {}, then {} (MSER-5); run.measure_from leaves {} "
      "out",
      spoken(*settling.until_seconds), spoken(settling.before), spoken(settling.after),
      counted(settling.clicks_before, "click")));
  lines.blank();
}

}  // namespace photon::analysis
