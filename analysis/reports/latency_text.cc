#include "analysis/reports/latency_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"

namespace photon::analysis {

void put_latencies(const LatencyRows& rows, Lines& lines) {
  if (std::ranges::all_of(rows, [](const auto& row) { return row.second->count == 0; })) return;
  // A space before each: a latency of an hour and its brackets fill their column.
  constexpr std::string_view kColumns =
      "{:<20}{:>9} {:>10} {:>10} {:>10} {:>10} {:>11} {:>11} {:>11}";
  lines.title(
      fmt::format(kColumns, "latency", "n", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max"));
  bool bracketed = false;
  for (const auto& [name, of] : rows) {
    if (of->count == 0) continue;
    const auto quantile = [&, of = of](double value, double fraction) {
      if (!of->rests_on_too_few(fraction)) return spoken(value);
      bracketed = true;
      return "(" + spoken(value) + ")";
    };
    lines.title(fmt::format(kColumns, "  " + name, grouped(of->count), spoken(of->mean),
                            quantile(of->p50, 0.5), quantile(of->p90, 0.9), quantile(of->p99, 0.99),
                            quantile(of->p999, 0.999), quantile(of->p9999, 0.9999),
                            spoken(of->max)));
  }
  if (bracketed) lines.title("  (in brackets: n too small, fewer than 10 values lie beyond)");
  lines.blank();
}

void put_slowest(const SlowestFigures& slowest, Lines& lines) {
  if (slowest.count == 0) return;
  double mean = 0;
  for (const auto& [name, part] : slowest.stages) mean += part;
  auto parts = slowest.stages;
  std::ranges::stable_sort(parts, std::ranges::greater{},
                           &std::pair<std::string_view, double>::second);
  std::string text;
  for (const auto& [name, part] : parts) {
    if (part < 0.05 * mean) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, spoken(part));
  }
  lines.title(fmt::format("slowest 1 % ({}, from {}): mean {}, of it {}",
                          counted(slowest.count, "click"), spoken(slowest.least_seconds),
                          spoken(mean), text));
  lines.blank();
}

}  // namespace photon::analysis
