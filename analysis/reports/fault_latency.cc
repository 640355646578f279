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

std::string p99_of(const LatencyFigures& figures) {
  if (figures.count == 0) return "-";
  const std::string text = spoken(figures.p99);
  return figures.rests_on_too_few(0.99) ? "(" + text + ")" : text;
}

}  // namespace

double FaultLatency::cost_seconds() const {
  if (before.own.count == 0) return 0;
  const auto more = [&](const PeriodFigures& period) {
    return static_cast<double>(period.own.count) * (period.own.mean - before.own.mean);
  };
  return more(during) + more(after);
}

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
  std::vector<const FaultLatency*> dearest;
  for (const FaultLatency& each : faults) dearest.push_back(&each);
  std::ranges::stable_sort(dearest, std::ranges::greater{},
                           [](const FaultLatency* each) { return each->cost_seconds(); });
  const std::size_t shown = std::min(faults.size(), kShown);
  lines.title("p99 of the own share around faults, of the clicks generated then" +
              (faults.size() > shown ? fmt::format(" ({} of {} faults, the dearest first)", shown,
                                                   grouped(faults.size()))
                                     : std::string()));
  lines.title(fmt::format(kColumns, "before", "during", "after", "fault"));
  for (std::size_t i = 0; i < shown; ++i) {
    const FaultLatency& each = *dearest[i];
    lines.title(fmt::format(kColumns, p99_of(each.before.own), p99_of(each.during.own),
                            p99_of(each.after.own), each.description));
  }
  lines.blank();
}

}  // namespace photon::analysis
