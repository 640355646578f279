#include "analysis/statistics/warm_up.h"

#include <numeric>

#include "analysis/statistics/moments.h"

namespace photon::analysis {
namespace {

double batch_mean(std::span<const double> series, std::uint64_t batch) {
  const auto values = series.subspan(batch * kWarmUpBatch, kWarmUpBatch);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(kWarmUpBatch);
}

}  // namespace

Result<WarmUp, WarmUpRefusal> mser5(std::span<const double> series) {
  const std::uint64_t batches = series.size() / kWarmUpBatch;
  if (batches < kWarmUpBatchesMin) return WarmUpRefusal::series_too_short;
  constexpr std::uint64_t kRemainMin = 5;
  Moments rest;
  std::uint64_t best = batches;
  double least = 0;
  // From the end, so that each candidate adds one batch to those that remain after it.
  for (std::uint64_t first = batches; first-- > 0;) {
    rest.add(batch_mean(series, first));
    if (first > batches - kRemainMin) continue;
    const auto remain = static_cast<double>(rest.count());
    const double statistic = rest.squares() / (remain * remain);
    if (best < batches && statistic > least) continue;
    best = first;
    least = statistic;
  }
  if (2 * best >= batches) return WarmUpRefusal::minimum_in_second_half;
  return WarmUp{best * kWarmUpBatch, least};
}

}  // namespace photon::analysis
