#include "analysis/statistics/quantile_replications.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/quantiles.h"
#include "analysis/statistics/ratios.h"

namespace photon::analysis {
namespace {

LatencyHistogram merged(std::span<const LatencyHistogram> replications) {
  LatencyHistogram all;
  for (const LatencyHistogram& replication : replications) all.merge(replication);
  return all;
}

double nanoseconds(const LatencyHistogram& histogram, double fraction) {
  return histogram.count() == 0 ? 0 : histogram.interpolated(histogram.rank_of(fraction));
}

bool each_is_large_enough(std::span<const LatencyHistogram> replications, double fraction) {
  return std::ranges::none_of(replications, [&](const LatencyHistogram& replication) {
    return too_small(replication.count(), fraction);
  });
}

}  // namespace

Estimate quantile_by_sections(std::span<const LatencyHistogram> replications, double fraction,
                              double confidence) {
  const std::uint64_t n = replications.size();
  const double value = nanoseconds(merged(replications), fraction);
  if (n < 2) return Estimate::without_interval(value, n, Shortage::replications);
  if (!each_is_large_enough(replications, fraction)) {
    return Estimate::without_interval(value, n, Shortage::observations);
  }
  double squares = 0;
  for (const LatencyHistogram& replication : replications) {
    const double apart = nanoseconds(replication, fraction) - value;
    squares += apart * apart;
  }
  const auto count = static_cast<double>(n);
  const double half = student_factor(n, confidence) * std::sqrt(squares / (count - 1) / count);
  return Estimate::with_interval(value, {value - half, value + half}, n);
}

Estimate quantile_by_inversion(std::span<const LatencyHistogram> replications, double fraction,
                               double confidence) {
  const std::uint64_t n = replications.size();
  const LatencyHistogram all = merged(replications);
  const double value = nanoseconds(all, fraction);
  if (n < 2) return Estimate::without_interval(value, n, Shortage::replications);
  if (too_small(all.count(), fraction)) {
    return Estimate::without_interval(value, n, Shortage::observations);
  }
  std::vector<Cluster> beyond;
  beyond.reserve(n);
  for (const LatencyHistogram& replication : replications) {
    const std::uint64_t within = replication.count_up_to(all.percentile(fraction));
    beyond.push_back({replication.count() - within, replication.count()});
  }
  const Estimate share = clustered_rate(beyond, confidence);
  if (!share.interval) return Estimate::without_interval(value, n, share.shortage);
  const double half = (log_odds(share.interval->high) - log_odds(share.interval->low)) / 2;
  const double low = from_log_odds(log_odds(fraction) - half);
  const double high = from_log_odds(log_odds(fraction) + half);
  // Of fewer than one observation beyond, nothing is known.
  if (static_cast<double>(all.count()) * std::min(low, 1 - high) < 1) {
    return Estimate::without_interval(value, n, Shortage::observations);
  }
  return Estimate::with_interval(value, {nanoseconds(all, low), nanoseconds(all, high)}, n);
}

Estimate quantile_by_replications(std::span<const LatencyHistogram> replications, double fraction,
                                  double confidence) {
  if (each_is_large_enough(replications, fraction)) {
    return quantile_by_sections(replications, fraction, confidence);
  }
  return quantile_by_inversion(replications, fraction, confidence);
}

}  // namespace photon::analysis
