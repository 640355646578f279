#include "analysis/reports/fault_latency.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"

namespace photon::analysis {
namespace {

PeriodFigures figures_in(const LatenciesByTime& latencies, const Period& period) {
  const auto histograms = latencies.in(period);
  return {.from_seconds = seconds_of(period.from - SimTime{}),
          .until_seconds = seconds_of(period.until - SimTime{}),
          .latency = figures_of(histograms.total),
          .own = figures_of(histograms.own)};
}

std::string p90_of(const LatencyFigures& figures) {
  if (figures.count == 0) return "-";
  const std::string text = spoken(figures.p90);
  return figures.rests_on_too_few(0.9) ? "(" + text + ")" : text;
}

}  // namespace

std::vector<FaultLatency> fault_latencies(const std::vector<TracedFault>& faults,
                                          const LatenciesByTime& latencies, Duration least) {
  std::vector<FaultLatency> all;
  for (const TracedFault& fault : faults) {
    if (!fault.effective) continue;
    const bool ends = fault.until_ns != TracedFault::kNever;
    const PeriodsOfFault periods = periods_of(
        from_nanoseconds<SimTime>(fault.at_ns),
        ends ? std::optional(from_nanoseconds<SimTime>(fault.until_ns)) : std::nullopt, least);
    all.push_back({.number = fault.number,
                   .description = fault.description,
                   .before = figures_in(latencies, periods.before),
                   .during = figures_in(latencies, periods.during),
                   .after = figures_in(latencies, periods.after)});
  }
  return all;
}

void put_fault_latencies(const std::vector<FaultLatency>& faults, Lines& lines) {
  constexpr std::size_t kShown = 8;
  constexpr std::string_view kColumns = "  {:>11}{:>11}{:>11}  {}";
  if (faults.empty()) return;
  std::vector<const FaultLatency*> slowest;
  for (const FaultLatency& each : faults) slowest.push_back(&each);
  std::ranges::stable_sort(slowest, std::ranges::greater{}, [](const FaultLatency* each) {
    return std::max(each->during.latency.p90, each->after.latency.p90);
  });
  const std::size_t shown = std::min(faults.size(), kShown);
  lines.title(faults.size() > shown
                  ? fmt::format("p90 of the clicks generated around faults (the slowest {} of {}; "
                                "--json lists all)",
                                shown, grouped(faults.size()))
                  : "p90 of the clicks generated around faults");
  lines.title(fmt::format(kColumns, "before", "during", "after", "fault"));
  for (std::size_t i = 0; i < shown; ++i) {
    const FaultLatency& each = *slowest[i];
    lines.title(fmt::format(kColumns, p90_of(each.before.latency), p90_of(each.during.latency),
                            p90_of(each.after.latency), each.description));
  }
  lines.blank();
}

}  // namespace photon::analysis
