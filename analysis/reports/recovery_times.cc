#include "analysis/reports/recovery_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "analysis/reports/fault_latency.h"
#include "analysis/reports/time_series.h"

namespace photon::analysis {
namespace {

// A figure of one pipeline for each interval; nothing where it has none.
using Values = std::vector<std::optional<double>>;

constexpr std::size_t kP90 = 1;
static_assert(PipelineSeries::kQuantiles[kP90] == 0.9);

// Interval i ends at (i + 1) * step: how many have ended by then. Multiples of it are not exact.
std::size_t ended_by(double seconds, double step) {
  return static_cast<std::size_t>(std::max(0.0, std::floor(seconds / step + 1e-9)));
}

// How many ended before that.
std::size_t ended_before(double seconds, double step) {
  return static_cast<std::size_t>(std::max(0.0, std::ceil(seconds / step - 1e-9) - 1));
}

// The most at the end of an interval of that period; nothing if none has a figure.
std::optional<double> level_of(const Values& column, const PeriodFigures& period, double step) {
  std::optional<double> most;
  const std::size_t end = std::min(column.size(), ended_by(period.until_seconds, step));
  for (std::size_t i = ended_before(period.from_seconds, step); i < end; ++i) {
    if (column[i]) most = std::max(most.value_or(*column[i]), *column[i]);
  }
  return most;
}

// One pipeline and the level that it has to come back to.
struct Levelled {
  const Values* column = nullptr;
  double level = 0;
};

ReturnTime back_after(const std::vector<Levelled>& pipelines, double until, double step) {
  // An interval that ends with the fault says how it was during it.
  for (std::size_t i = ended_by(until, step); i < pipelines.front().column->size(); ++i) {
    const bool back = std::ranges::all_of(pipelines, [i](const Levelled& each) {
      return (*each.column)[i].value_or(0) <= each.level;
    });
    if (back) return {std::max(0.0, static_cast<double>(i + 1) * step - until)};
  }
  return {};
}

std::optional<ReturnTime> return_time(const std::vector<Values>& columns, const FaultLatency& fault,
                                      double step) {
  std::vector<Levelled> pipelines;
  for (const Values& each : columns) {
    if (const auto level = level_of(each, fault.before, step)) pipelines.push_back({&each, *level});
  }
  if (pipelines.empty()) return std::nullopt;
  return back_after(pipelines, fault.during.until_seconds, step);
}

}  // namespace

void set_return_times(const TimeSeries& series, std::vector<FaultLatency>& faults) {
  std::vector<Values> backlogs, latencies;
  for (const PipelineSeries& each : series.pipelines) {
    Values& backlog = backlogs.emplace_back();
    for (const std::uint64_t clicks : each.backlog) backlog.emplace_back(double(clicks));
    latencies.push_back(each.own[kP90]);
  }
  const double step = series.interval_seconds;
  for (FaultLatency& fault : faults) {
    const double lasted = fault.during.until_seconds - fault.during.from_seconds;
    if (!fault.ends || step <= 0 || lasted < step) continue;
    fault.backlog_back = return_time(backlogs, fault, step);
    fault.own_p90_back = return_time(latencies, fault, step);
  }
}

std::optional<double> longest_backlog_return(const std::vector<FaultLatency>& faults) {
  std::optional<double> longest;
  for (const FaultLatency& fault : faults) {
    if (!fault.backlog_back) continue;
    if (!fault.backlog_back->seconds) return std::nullopt;
    longest = std::max(longest.value_or(0), *fault.backlog_back->seconds);
  }
  return longest;
}

}  // namespace photon::analysis
