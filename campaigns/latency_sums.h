// Latencies of a campaign: the histograms of its runs, merged by scenario and stage.
//
// Runs of one scenario differ in their seed alone, so their latencies are a sample of one
// distribution. Generated configurations are not: a campaign of them merges nothing.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "analysis/results/run_record.h"
#include "analysis/statistics/latency_histogram.h"

namespace photonsim::campaigns {

class LatencySums {
 public:
  // The histograms of one scenario, by their names in the results store ("stages.lookup").
  using ByStage = std::map<std::string, photon::analysis::LatencyHistogram, std::less<>>;

  void add(std::size_t scenario, std::span<const photon::analysis::StoredHistogram> histograms);

  bool empty() const { return by_scenario_.empty(); }
  const std::map<std::size_t, ByStage>& by_scenario() const { return by_scenario_; }

 private:
  std::map<std::size_t, ByStage> by_scenario_{};
};

// Those that a report states.
struct Percentile {
  std::string_view name;
  double fraction;
};
inline constexpr std::array<Percentile, 5> kPercentiles{
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}, {"p9999", 0.9999}}};

// A percentile needs this many values above it: fewer say nothing about it.
inline constexpr double kValuesAbovePercentile = 10;
bool is_supported(const photon::analysis::LatencyHistogram& histogram, double fraction);

// A table for people, with `title` in its head line.
std::string latency_table(std::string_view title, const LatencySums::ByStage& stages);

}  // namespace photonsim::campaigns
