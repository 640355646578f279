#include "analysis/reports/baseline.h"

#include <chrono>
#include <cstddef>
#include <vector>

#include "analysis/reports/summary.h"

namespace photon::analysis {
namespace {

PeriodFigures whole_of(const Summary& summary) {
  return {.from_seconds = 0,
          .until_seconds = summary.sim_seconds,
          .latency = summary.latency,
          .own = summary.latency_own};
}

}  // namespace

double Baseline::cost_seconds() const {
  return static_cast<double>(whole.own.count) * (whole.own.mean - whole_without.own.mean);
}

void compare_with_baseline(const Summary& without, const LatenciesByTime& latencies_without,
                           Summary& summary) {
  summary.baseline = Baseline{.joined = summary.joined,
                              .joined_without = without.joined,
                              .lost = summary.lost_total(),
                              .lost_without = without.lost_total(),
                              .whole = whole_of(summary),
                              .whole_without = whole_of(without)};
  const auto interval = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(summary.series.interval_seconds));
  // The same faults, hence the same periods.
  const std::vector<FaultLatency> same =
      fault_latencies(summary.faults, latencies_without, interval);
  for (std::size_t i = 0; i < same.size() && i < summary.fault_latencies.size(); ++i) {
    summary.fault_latencies[i].during_without = same[i].during;
    summary.fault_latencies[i].after_without = same[i].after;
  }
}

}  // namespace photon::analysis
