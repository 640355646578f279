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

double length_of(const FaultLatency& fault) {
  return fault.during.until_seconds - fault.during.from_seconds;
}

// Generated from its beginning to the end of its `after`: its cost is theirs.
double clicks_of(const FaultLatency& fault) {
  return static_cast<double>(fault.during.own.count) + static_cast<double>(fault.after.own.count);
}

// Whether some of these clicks are those of both.
bool overlap(const FaultLatency& one, const FaultLatency& other) {
  return other.during.from_seconds < one.after.until_seconds &&
         one.during.from_seconds < other.after.until_seconds;
}

// explain_costs says when.
bool holds(const FaultLatency& longer, const FaultLatency& shorter) {
  const PeriodFigures& during = longer.during;
  const bool lasts_into_it = shorter.during.from_seconds < during.from_seconds &&
                             shorter.during.until_seconds > during.from_seconds;
  return length_of(longer) > 0 && length_of(longer) >= 2 * length_of(shorter) && !lasts_into_it &&
         shorter.during.from_seconds < during.until_seconds &&
         during.from_seconds < shorter.after.until_seconds;
}

// What its clicks cost that are not the shorter one's, each.
double cost_alone(const FaultLatency& longer, const FaultLatency& shorter) {
  constexpr std::uint64_t kLeastAlone = 20;
  const bool baseline = longer.alone_without.has_value();
  const std::uint64_t beside = baseline ? longer.alone_without->count : longer.before.own.count;
  if (longer.alone.count >= kLeastAlone && beside > 0) {
    return longer.alone.mean_seconds -
           (baseline ? longer.alone_without->mean_seconds : longer.before.own.mean);
  }
  const double others = clicks_of(longer) - clicks_of(shorter);
  return others <= 0 ? 0 : (longer.cost_seconds() - shorter.cost_seconds()) / others;
}

// The longer one costs a click about as much as the shorter one does, or more.
bool costs_alike(const FaultLatency& longer, const FaultLatency& shorter) {
  constexpr double kAlike = 0.25;
  return cost_alone(longer, shorter) >= kAlike * shorter.cost_seconds() / clicks_of(shorter);
}

// `during` of a fault without the windows of the shorter ones that it holds.
std::vector<Period> periods_alone(const FaultLatency& fault, const std::vector<FaultLatency>& all) {
  const auto time_of = [](double seconds) {
    return SimTime{} + std::chrono::round<Duration>(std::chrono::duration<double>(seconds));
  };
  std::vector<std::pair<double, double>> taken;
  for (const FaultLatency& other : all) {
    if (!holds(fault, other)) continue;
    taken.emplace_back(other.during.from_seconds, other.after.until_seconds);
  }
  std::ranges::sort(taken);
  std::vector<Period> periods;
  double from = fault.during.from_seconds;
  for (const auto& [begin, end] : taken) {
    if (begin > from) periods.push_back({time_of(from), time_of(begin)});
    from = std::max(from, end);
  }
  const double until = fault.during.until_seconds;
  if (until > from) periods.push_back({time_of(from), time_of(until)});
  return periods;
}

// The dearest fault that holds this one and costs alike; null if there is none.
const FaultLatency* dearest_around(const FaultLatency& fault,
                                   const std::vector<FaultLatency>& all) {
  const double cost = fault.cost_seconds();
  if (cost <= 0) return nullptr;
  const FaultLatency* dearest = nullptr;
  for (const FaultLatency& other : all) {
    if (!holds(other, fault) || other.cost_seconds() <= cost || !costs_alike(other, fault))
      continue;
    if (dearest == nullptr || other.cost_seconds() > dearest->cost_seconds()) dearest = &other;
  }
  return dearest;
}

// The cost of the dearest fault that this one holds without costing alike.
double cost_of_held(const FaultLatency& fault, const std::vector<FaultLatency>& all) {
  double most = 0;
  for (const FaultLatency& other : all) {
    const double cost = other.cost_seconds();
    if (cost > most && holds(fault, other) && !costs_alike(fault, other)) most = cost;
  }
  return most;
}

// What the time of a fault holds besides it.
std::string company_of(const FaultLatency& fault, const std::vector<FaultLatency>& all) {
  if (fault.explained_by) {
    const auto other = std::ranges::find(all, *fault.explained_by, &FaultLatency::number);
    if (other != all.end()) return fmt::format(" (beside {})", name_of_fault(other->description));
  }
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

void explain_costs(std::vector<FaultLatency>& faults) {
  for (FaultLatency& fault : faults) {
    fault.overlapping = 0;
    for (const FaultLatency& other : faults) {
      fault.overlapping += &other != &fault && overlap(fault, other) ? 1 : 0;
    }
    // That one may be explained in turn, always by a longer one.
    const FaultLatency* cause = dearest_around(fault, faults);
    for (const FaultLatency* next = cause; next != nullptr; next = dearest_around(*next, faults)) {
      cause = next;
    }
    fault.explained_by = cause != nullptr ? std::optional(cause->number) : std::nullopt;
    fault.own_cost_seconds = fault.cost_seconds() - cost_of_held(fault, faults);
  }
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
  for (FaultLatency& each : all) each.alone = latencies.own_in(periods_alone(each, all));
  explain_costs(all);
  return all;
}

std::vector<const FaultLatency*> dearest_first(const std::vector<FaultLatency>& faults) {
  std::vector<const FaultLatency*> list;
  for (const FaultLatency& each : faults) list.push_back(&each);
  std::ranges::stable_sort(list, {}, [](const FaultLatency* each) {
    return std::pair(each->explained_by.has_value(), -each->own_cost_seconds);
  });
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
                            each.description + company_of(each, faults)));
  }
  lines.title(fmt::format(
      "  cost: own share of all clicks of that time together, beside {}\n  (beside), (and N more): "
      "faults in the same time, whose cost is in it",
      known ? "the same seed without faults;\n  without: p99 after, without faults"
            : "the clicks before;\n  `run --baseline` tells it from what else happened then"));
  lines.blank();
}

}  // namespace photon::analysis
