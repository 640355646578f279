// A latency of a run in figures.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "analysis/reports/figure.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

// In seconds.
struct LatencyFigures {
  std::uint64_t count = 0;
  double mean = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, p9999 = 0, min = 0, max = 0;

  // The quantiles, with their fractions.
  static constexpr std::array<std::pair<std::string_view, double>, 5> kQuantiles{
      {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}, {"p9999", 0.9999}}};
  // The sample is too small for this quantile (quantiles.h): it says little but the largest value.
  bool rests_on_too_few(double fraction) const;

  template <class Self, class Visitor>
  static void each_figure(Self& self, Visitor&& visit) {
    visit("count", Unit::count, Adding::sum, self.count);
    visit("mean", Unit::seconds, Adding::none, self.mean);
    visit("p50", Unit::seconds, Adding::none, self.p50);
    visit("p90", Unit::seconds, Adding::none, self.p90);
    visit("p99", Unit::seconds, Adding::none, self.p99);
    visit("p999", Unit::seconds, Adding::none, self.p999);
    visit("p9999", Unit::seconds, Adding::none, self.p9999);
    visit("min", Unit::seconds, Adding::least, self.min);
    visit("max", Unit::seconds, Adding::greatest, self.max);
  }
};
LatencyFigures figures_of(const LatencyHistogram& histogram);

}  // namespace photon::analysis
