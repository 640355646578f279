// Latencies of a campaign: the histograms of its runs, merged by scenario and stage.
//
// Runs of one scenario differ in their seed alone, so their latencies are a sample of one
// distribution. Generated configurations are not: a campaign of them merges nothing.
#pragma once

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

// A table for people, with `title` in its head line.
std::string latency_table(std::string_view title, const LatencySums::ByStage& stages);

}  // namespace photonsim::campaigns
