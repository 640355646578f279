// A latency of a run in figures.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

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

class LatencyCollector;

// Where the slowest hundredth of the joined clicks spent their time: those in the bucket of p99 of
// the total latency and above, so a few more than a hundredth.
struct SlowestFigures {
  std::uint64_t count = 0;  // 0: the sample is too small for p99
  double least_seconds = 0;
  // Mean seconds of each stage; together they are their mean latency.
  std::vector<std::pair<std::string_view, double>> stages{};
};
SlowestFigures slowest_of(const LatencyCollector& latency);

}  // namespace photon::analysis
