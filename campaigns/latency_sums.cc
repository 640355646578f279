#include "campaigns/latency_sums.h"

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "core_impl/base/check.h"

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

bool is_supported(const analysis::LatencyHistogram& histogram, double fraction) {
  PHOTON_CHECK(fraction > 0 && fraction < 1, "a percentile lies between the extremes");
  return static_cast<double>(histogram.count()) * (1 - fraction) >= kValuesAbovePercentile;
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
    for (const Percentile& each : kPercentiles) {
      const bool supported = is_supported(histogram, each.fraction);
      all_supported = all_supported && supported;
      row += fmt::format(
          "{:>11}", supported
                        ? analysis::spoken(photon::seconds_of(histogram.percentile(each.fraction)))
                        : "-");
    }
    lines.title(row + fmt::format("{:>12}", analysis::spoken(photon::seconds_of(histogram.max()))));
  }
  if (!all_supported) lines.paragraph("-: fewer than 10 values lie above this percentile.");
  return lines.take();
}

}  // namespace photonsim::campaigns
