#include "analysis/reports/time_series.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/accounting/series_ledger.h"
#include "analysis/trace_files/judge_config.h"

namespace photon::analysis {
namespace {

std::size_t interval_of(SimTime at, Duration interval, std::size_t intervals) {
  const auto number = static_cast<std::size_t>(nanoseconds_of(at) / interval.count());
  return std::min(number, intervals - 1);
}

double quantile_of(std::span<const Duration> ascending, double fraction) {
  const double rank = std::ceil(fraction * static_cast<double>(ascending.size()));
  return seconds_of(ascending[static_cast<std::size_t>(std::max(rank, 1.0)) - 1]);
}

void put_quantiles(std::vector<Duration>& values, std::array<LatencyColumn, 3>& columns) {
  std::ranges::sort(values);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i].push_back(values.empty()
                             ? std::nullopt
                             : std::optional(quantile_of(values, PipelineSeries::kQuantiles[i])));
  }
}

// Of one pipeline: its joins in the order of their outputs.
void put_joins(const JoinedLatencies& joined, std::uint32_t pipeline, Duration interval,
               std::size_t intervals, PipelineSeries& series) {
  auto next = joined.begin();
  std::vector<Duration> total, own;
  for (std::size_t i = 0; i < intervals; ++i) {
    total.clear();
    own.clear();
    for (; next != joined.end() && interval_of(next->at, interval, intervals) == i; ++next) {
      if (next->pipeline != pipeline) continue;
      total.push_back(next->total);
      own.push_back(next->own);
    }
    series.joins.push_back(total.size());
    put_quantiles(total, series.latency);
    put_quantiles(own, series.own);
  }
}

// What a count from the beginning of the run increased by in each interval.
template <class ValueOf>
void put_increments(std::span<const SeriesLedger::Sample> samples, ValueOf value_of,
                    std::vector<std::uint64_t>& column) {
  std::uint64_t before = 0;
  for (const SeriesLedger::Sample& sample : samples) {
    column.push_back(value_of(sample) - before);
    before = value_of(sample);
  }
}

void put_shards(const SeriesLedger& ledger, TimeSeries& series) {
  const auto& last = ledger.samples().back().committed;
  std::size_t shards = last.size();
  while (shards > 0 && last[shards - 1] == 0) --shards;
  for (std::size_t shard = 0; shard < shards; ++shard) {
    const auto committed = [shard](const SeriesLedger::Sample& of) { return of.committed[shard]; };
    put_increments(ledger.samples(), committed, series.shards.emplace_back());
  }
  for (const SimTime at : ledger.reshards()) series.reshards.push_back(seconds_of(at - SimTime{}));
}

}  // namespace

TimeSeries time_series(const SeriesLedger& ledger, const JoinedLatencies& joined,
                       const JudgeConfig& config) {
  TimeSeries series;
  const auto& samples = ledger.samples();
  if (samples.empty()) return series;
  series.interval_seconds = seconds_of(ledger.interval());
  using Sample = SeriesLedger::Sample;
  const auto put = [&](auto value_of, std::vector<std::uint64_t>& column) {
    put_increments(samples, value_of, column);
  };
  put([](const Sample& of) { return of.offered; }, series.offered);
  put([](const Sample& of) { return of.served; }, series.served);
  put([](const Sample& of) { return of.from_caches; }, series.queries_from_caches);
  put([](const Sample& of) { return of.from_logs; }, series.queries_from_logs);
  put_shards(ledger, series);
  for (std::uint32_t i = 0; i < config.pipelines.size(); ++i) {
    PipelineSeries& pipeline = series.pipelines.emplace_back();
    pipeline.where = config.name_of(i);
    for (const Sample& sample : samples) pipeline.backlog.push_back(sample.backlog[i]);
    put([i](const Sample& of) { return of.finished[i]; }, pipeline.finished);
    put_joins(joined, i, ledger.interval(), samples.size(), pipeline);
  }
  return series;
}

}  // namespace photon::analysis
