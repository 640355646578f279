// A run over time: columns of equal length, a value for each interval.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/accounting/latency_periods.h"

namespace photon::analysis {

class SeriesLedger;
struct JudgeConfig;

// In seconds; nothing where no click was joined.
using LatencyColumn = std::vector<std::optional<double>>;

struct PipelineSeries {
  static constexpr std::array<double, 3> kQuantiles{0.5, 0.9, 0.99};
  static constexpr std::array<std::string_view, 3> kQuantileNames{"p50", "p90", "p99"};

  std::string where{};                     // its datacenter
  std::vector<std::uint64_t> joins{};      // outputs that became durable in the interval
  std::vector<std::uint64_t> backlog{};    // at its end
  std::vector<std::uint64_t> finished{};   // clicks that its dispatchers finished, joined or not
  std::array<LatencyColumn, 3> latency{};  // of these joins
  std::array<LatencyColumn, 3> own{};
};

struct TimeSeries {
  // Interval i is [i, i + 1) times this, from the beginning of the run; the last one ends with the
  // run. 0: the trace has no samples, and all is empty.
  double interval_seconds = 0;
  std::vector<std::uint64_t> offered{};  // clicks, or operations of a registry-only load
  std::vector<std::uint64_t> served{};
  std::vector<std::uint64_t> queries_from_caches{};  // queries found for joiners, by who answered
  std::vector<std::uint64_t> queries_from_logs{};
  std::vector<PipelineSeries> pipelines{};
  // By shard: operations that it committed in the interval. Shards that never committed any are
  // left out at the end of the list.
  std::vector<std::vector<std::uint64_t>> shards{};
  std::vector<double> reshards{};  // seconds at which the number of shards changed
};

TimeSeries time_series(const SeriesLedger& ledger, const JoinedLatencies& joined,
                       const JudgeConfig& config);

}  // namespace photon::analysis
