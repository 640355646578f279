#include "analysis/capacity/stationarity.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace photon::analysis {
namespace {

constexpr std::size_t kParts = 4;
constexpr double kLeastShare = 0.01;  // of the arrivals

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

BacklogTrend backlog_trend(std::span<const double> backlog, double interval_seconds,
                           double arrivals_per_second) {
  if (backlog.size() < kLeastBacklogSamples) return {};
  const std::size_t size = backlog.size() / kParts;
  const std::size_t skipped = backlog.size() - kParts * size;  // at the beginning
  std::array<double, kParts> means{};
  for (std::size_t part = 0; part < kParts; ++part) {
    means[part] = mean_of(backlog.subspan(skipped + part * size, size));
  }
  const double seconds = interval_seconds * static_cast<double>(size);
  const double least = std::max(1.0, kLeastShare * arrivals_per_second * seconds);
  bool grows = true;
  for (std::size_t part = 1; part < kParts; ++part) {
    grows = grows && means[part] - means[part - 1] >= least;
  }
  const double growth = (means.back() - means.front()) / (seconds * (kParts - 1));
  return {grows ? Stationarity::growing : Stationarity::stationary, growth};
}

}  // namespace photon::analysis
