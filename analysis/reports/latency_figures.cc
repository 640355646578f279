#include "analysis/reports/latency_figures.h"

#include "analysis/accounting/latency_collector.h"
#include "analysis/statistics/quantiles.h"

namespace photon::analysis {

bool LatencyFigures::rests_on_too_few(double fraction) const { return too_small(count, fraction); }

LatencyFigures figures_of(const LatencyHistogram& histogram) {
  LatencyFigures figures;
  figures.count = histogram.count();
  figures.mean = histogram.mean_nanoseconds() / 1e9;
  figures.p50 = seconds_of(histogram.percentile(0.5));
  figures.p90 = seconds_of(histogram.percentile(0.9));
  figures.p99 = seconds_of(histogram.percentile(0.99));
  figures.p999 = seconds_of(histogram.percentile(0.999));
  figures.p9999 = seconds_of(histogram.percentile(0.9999));
  figures.min = seconds_of(histogram.min());
  figures.max = seconds_of(histogram.max());
  return figures;
}

SlowestFigures slowest_of(const LatencyCollector& latency) {
  constexpr double kFraction = 0.99;
  SlowestFigures figures;
  SlowestClicks::Sums sums;
  if (!too_small(latency.total().count(), kFraction)) {
    sums = latency.slowest().from(latency.total().percentile(kFraction));
  }
  figures.count = sums.clicks;
  figures.least_seconds = seconds_of(sums.least);
  for (std::size_t i = 0; i < SlowestClicks::kStages; ++i) {
    const double mean =
        sums.clicks == 0 ? 0 : sums.nanoseconds[i] / 1e9 / static_cast<double>(sums.clicks);
    figures.stages.emplace_back(name_of(static_cast<Stage>(i)), mean);
  }
  return figures;
}

}  // namespace photon::analysis
