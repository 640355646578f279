#include "campaigns/latency_sums.h"

#include <fmt/format.h>

#include "analysis/reports/latency_figures.h"
#include "analysis/reports/report_text.h"
#include "analysis/statistics/quantiles.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

void LatencySums::add(std::size_t scenario, std::span<const analysis::StoredHistogram> histograms) {
  if (histograms.empty()) return;
  ByStage& stages = by_scenario_[scenario];
  for (const analysis::StoredHistogram& each : histograms) {
    const analysis::LatencyHistogram values = each.histogram();
    if (values.count() == 0) continue;
    stages[each.name].merge(values);
  }
}

std::string latency_table(std::string_view title, const LatencySums::ByStage& stages) {
  analysis::Lines lines;
  lines.blank();
  lines.title(title);
  lines.title(fmt::format("  {:<25}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>12}", "latency", "count",
                          "p50", "p90", "p99", "p99.9", "p99.99", "max"));
  bool all_supported = true;
  for (const auto& [name, histogram] : stages) {
    std::string row = fmt::format("  {:<25}{:>11}", name, analysis::grouped(histogram.count()));
    for (const auto& [quantile, fraction] : analysis::LatencyFigures::kQuantiles) {
      const bool supported = !analysis::too_small(histogram.count(), fraction);
      all_supported = all_supported && supported;
      row += fmt::format(
          "{:>11}",
          supported ? analysis::spoken(photon::seconds_of(histogram.percentile(fraction))) : "-");
    }
    lines.title(row + fmt::format("{:>12}", analysis::spoken(photon::seconds_of(histogram.max()))));
  }
  if (!all_supported) lines.paragraph("-: fewer than 10 values lie above this percentile.");
  return lines.take();
}

}  // namespace photonsim::campaigns
