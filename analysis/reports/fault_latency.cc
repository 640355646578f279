#include "analysis/reports/fault_latency.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

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

// Whether some of these clicks are those of both.
bool overlap(const FaultLatency& one, const FaultLatency& other) {
  return other.during.from_seconds < one.after.until_seconds &&
         one.during.from_seconds < other.after.until_seconds;
}

// What the time of a fault holds besides it.
std::string company_of(const FaultLatency& fault) {
  return fault.overlapping == 0 ? std::string() : fmt::format(" (and {} more)", fault.overlapping);
}

}  // namespace

double FaultLatency::cost_seconds() const {
  const auto more = [](const PeriodFigures& period, const PeriodFigures& beside) {
    if (beside.own.count == 0) return 0.0;
    return static_cast<double>(period.own.count) * (period.own.mean - beside.own.mean);
  };
  return more(during, during_without.value_or(before)) +
         more(after, after_without.value_or(before));
}

std::string_view name_of_fault(std::string_view description) {
  return description.substr(0, description.find(" at "));
}

std::vector<FaultLatency> fault_latencies(const std::vector<TracedFault>& faults,
                                          const LatenciesByTime& latencies, Duration interval) {
  constexpr int kIntervalsBesideFault = 10;
  std::vector<FaultLatency> all;
  const SimTime last = latencies.all().empty() ? SimTime{} : latencies.all().back().generated_at();
  for (const TracedFault& fault : faults) {
    if (!fault.effective) continue;
    const bool ends = fault.until_ns != TracedFault::kNever;
    const PeriodsOfFault periods =
        periods_of(from_nanoseconds<SimTime>(fault.at_ns),
                   ends ? std::optional(from_nanoseconds<SimTime>(fault.until_ns)) : std::nullopt,
                   kIntervalsBesideFault * interval);
    FaultLatency& added = all.emplace_back();
    added.number = fault.number;
    added.description = fault.description;
    added.ends = ends && periods.during.until <= last;
    added.before = figures_in(latencies, periods.before);
    added.during = figures_in(latencies, periods.during);
    added.after = figures_in(latencies, periods.after);
  }
  for (FaultLatency& fault : all) {
    for (const FaultLatency& other : all) {
      fault.overlapping += &other != &fault && overlap(fault, other) ? 1 : 0;
    }
  }
  return all;
}

std::vector<const FaultLatency*> dearest_first(const std::vector<FaultLatency>& faults) {
  std::vector<const FaultLatency*> list;
  for (const FaultLatency& each : faults) list.push_back(&each);
  std::ranges::stable_sort(list, std::ranges::greater{}, &FaultLatency::cost_seconds);
  return list;
}

void charge_losses(const std::vector<JoinerEndCost>& ends, const std::vector<TracedFault>& faults,
                   std::vector<FaultLatency>& list) {
  for (const JoinerEndCost& end : ends) {
    const auto fault = std::ranges::find_if(faults, [&](const TracedFault& each) {
      return each.effective && each.at_ns == nanoseconds_of(end.end.at);
    });
    if (fault == faults.end()) continue;
    const auto place = std::ranges::find(list, fault->number, &FaultLatency::number);
    if (place != list.end()) place->lost += end.charged;
  }
}

void put_fault_latencies(const std::vector<FaultLatency>& faults, Lines& lines) {
  constexpr std::size_t kShown = 8;
  constexpr std::string_view kColumns = "  {:>11}{:>11}{:>11}{:>8}{:>13}  {}";
  if (faults.empty()) return;
  const std::vector<const FaultLatency*> dearest = dearest_first(faults);
  const bool known = faults.front().after_without.has_value();
  const std::size_t shown = std::min(faults.size(), kShown);
  lines.title("p99 of the own share around faults, of the clicks generated then" +
              (faults.size() > shown ? fmt::format(" ({} of {} faults, the dearest first)", shown,
                                                   grouped(faults.size()))
                                     : std::string()));
  lines.title(fmt::format(kColumns, known ? "during" : "before", known ? "after" : "during",
                          known ? "without" : "after", "lost", "cost", "fault"));
  for (std::size_t i = 0; i < shown; ++i) {
    const FaultLatency& each = *dearest[i];
    const double cost = each.cost_seconds();
    const LatencyFigures& first = known ? each.during.own : each.before.own;
    const LatencyFigures& second = known ? each.after.own : each.during.own;
    const LatencyFigures& third = each.after_without ? each.after_without->own : each.after.own;
    lines.title(fmt::format(kColumns, p99_of(first), p99_of(second), p99_of(third),
                            grouped(each.lost), cost > 0 ? spoken(cost) : "-",
                            each.description + company_of(each)));
  }
  lines.title(fmt::format(
      "  cost: own share of all clicks of that time together, beside {}\n  (and N more): faults in "
      "the same time; their cost is in it",
      known ? "the same seed without faults;\n  without: p99 after, without faults"
            : "the clicks before;\n  `run --baseline` tells it from what else happened then"));
  lines.blank();
}

}  // namespace photon::analysis
