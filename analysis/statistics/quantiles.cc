#include "analysis/statistics/quantiles.h"

#include <algorithm>
#include <cmath>

#include "analysis/statistics/critical_values.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

void check_fraction(double fraction) {
  PHOTON_CHECK(fraction > 0, "the fraction of a quantile is above zero");
  PHOTON_CHECK(fraction < 1, "the fraction of a quantile is below one");
}

// The smallest count c with P(B <= c) >= probability.
std::uint64_t binomial_quantile(std::uint64_t trials, double fraction, double probability) {
  std::uint64_t low = 0;
  std::uint64_t high = trials;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (binomial_distribution(middle, trials, fraction) >= probability) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Estimate with_ranks(double value, std::uint64_t n, double fraction, double confidence,
                    const auto& at_rank) {
  if (too_small(n, fraction)) return Estimate::without_interval(value, n, Shortage::observations);
  const auto ranks = quantile_ranks(n, fraction, confidence);
  if (!ranks) return Estimate::without_interval(value, n, Shortage::observations);
  return Estimate::with_interval(value, {at_rank(ranks->low), at_rank(ranks->high)}, n);
}

}  // namespace

std::uint64_t sample_needed(double fraction) {
  check_fraction(fraction);
  // 1 - 0.9 is a little less than a tenth: rounding must not ask for one observation more.
  constexpr double kRounding = 1e-9;
  const double exact = kBeyondQuantileMin / std::min(fraction, 1 - fraction);
  return static_cast<std::uint64_t>(std::ceil(exact * (1 - kRounding)));
}

bool too_small(std::uint64_t n, double fraction) { return n < sample_needed(fraction); }

std::optional<QuantileRanks> quantile_ranks(std::uint64_t n, double fraction, double confidence) {
  check_fraction(fraction);
  const double miss = (1 - confidence) / 2;
  // The quantile lies below the observation of rank l if fewer than l observations lie below it:
  // l is the largest rank with P(B <= l - 1) <= miss, and u the smallest with P(B >= u) <= miss.
  std::uint64_t low = binomial_quantile(n, fraction, miss);
  if (low < n && binomial_distribution(low, n, fraction) <= miss) ++low;
  const std::uint64_t high = binomial_quantile(n, fraction, 1 - miss) + 1;
  if (low < 1 || high > n) return std::nullopt;
  return QuantileRanks{low, high};
}

Estimate quantile_of_sorted(std::span<const double> ascending, double fraction, double confidence) {
  check_fraction(fraction);
  PHOTON_CHECK(std::ranges::is_sorted(ascending), "a sample with order statistics is sorted");
  const std::uint64_t n = ascending.size();
  if (n == 0) return Estimate::without_interval(0, 0, Shortage::observations);
  const auto at_rank = [&](std::uint64_t rank) { return ascending[rank - 1]; };
  const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(n)));
  const double value = at_rank(std::clamp<std::uint64_t>(rank, 1, n));
  return with_ranks(value, n, fraction, confidence, at_rank);
}

Estimate quantile_of_histogram(const LatencyHistogram& sample, double fraction, double confidence) {
  check_fraction(fraction);
  const std::uint64_t n = sample.count();
  if (n == 0) return Estimate::without_interval(0, 0, Shortage::observations);
  const auto at_rank = [&](std::uint64_t rank) { return sample.interpolated(rank); };
  const double value = at_rank(sample.rank_of(fraction));
  return with_ranks(value, n, fraction, confidence, at_rank);
}

}  // namespace photon::analysis
