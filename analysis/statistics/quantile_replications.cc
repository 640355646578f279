#include "analysis/statistics/quantile_replications.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/moments.h"
#include "analysis/statistics/quantiles.h"
#include "analysis/statistics/ratios.h"
#include "core_impl/base/check.h"

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

// How many independent observations beyond the quantile the sample is worth (Kish).
double independent_beyond(std::span<const LatencyHistogram> replications, double fraction) {
  const LatencyHistogram all = merged(replications);
  const auto n = static_cast<double>(all.count());
  const auto k = static_cast<double>(replications.size());
  double effect = 1;
  // At the median too, where more observations tell: of few beyond a far quantile the variance
  // between replications is hardly known.
  for (const double at : {0.5, fraction}) {
    const Duration quantile = all.percentile(at);
    const double share = 1 - static_cast<double>(all.count_up_to(quantile)) / n;
    double squares = 0;
    for (const LatencyHistogram& each : replications) {
      const auto beyond = static_cast<double>(each.count() - each.count_up_to(quantile));
      const double residual = beyond - share * static_cast<double>(each.count());
      squares += residual * residual;
    }
    const double independent = share * (1 - share) * n;
    if (independent > 0) effect = std::max(effect, k / (k - 1) * squares / independent);
  }
  return n * std::min(fraction, 1 - fraction) / effect;
}

// Appends the quantile of each of the replications' absences; `others` holds all replications but
// these. By halves, so that few merged histograms are in memory at once.
void append_without_one(std::span<const LatencyHistogram> replications,
                        const LatencyHistogram& others, double fraction,
                        std::vector<double>& quantiles) {
  if (replications.size() == 1) return quantiles.push_back(nanoseconds(others, fraction));
  const std::size_t half = replications.size() / 2;
  const auto first = replications.first(half), second = replications.subspan(half);
  for (const bool left : {true, false}) {
    LatencyHistogram without = others;
    for (const LatencyHistogram& each : left ? second : first) without.merge(each);
    append_without_one(left ? first : second, without, fraction, quantiles);
  }
}

// Quantiles without one of the replications each.
std::vector<double> quantiles_without_one(std::span<const LatencyHistogram> replications,
                                          double fraction) {
  std::vector<double> quantiles;
  quantiles.reserve(replications.size());
  if (!replications.empty()) append_without_one(replications, {}, fraction, quantiles);
  return quantiles;
}

std::vector<double> quantiles_of(std::span<const LatencyHistogram> replications, double fraction) {
  std::vector<double> quantiles;
  for (const LatencyHistogram& each : replications)
    quantiles.push_back(nanoseconds(each, fraction));
  return quantiles;
}

std::vector<double> differences(std::span<const double> left, std::span<const double> right) {
  std::vector<double> list;
  for (std::size_t i = 0; i < left.size(); ++i) list.push_back(left[i] - right[i]);
  return list;
}

// A spread and a centre on a scale on which quantiles are added.
struct Spread {
  double centre = 0;  // of the jackknife
  double error = 0;   // of the mean
};

Spread spread_of(double value, std::span<const double> sections, std::span<const double> without) {
  const auto k = static_cast<double>(sections.size());
  double around = 0;
  for (const double section : sections) around += (section - value) * (section - value);
  Moments pseudo;
  for (const double each : without) pseudo.add(k * value - (k - 1) * each);
  return {pseudo.mean(), std::sqrt(std::max(around / (k - 1), pseudo.variance()) / k)};
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
  std::vector<double> sections = quantiles_of(replications, fraction);
  std::vector<double> without = quantiles_without_one(replications, fraction);
  const auto positive = [](double each) { return each > 0; };
  const bool log = value > 0 && std::ranges::all_of(sections, positive) &&
                   std::ranges::all_of(without, positive);
  if (log) {
    for (auto* list : {&sections, &without}) {
      for (double& each : *list) each = std::log(each);
    }
  }
  const double centre = log ? std::log(value) : value;
  const Spread spread = spread_of(centre, sections, without);
  const double half = student_factor(n, confidence) * spread.error;
  const double low = std::min(centre, spread.centre) - half;
  const double high = std::max(centre, spread.centre) + half;
  return Estimate::with_interval(
      value, log ? Interval{std::exp(low), std::exp(high)} : Interval{low, high}, n);
}

Estimate quantile_by_inversion(std::span<const LatencyHistogram> replications, double fraction,
                               double confidence) {
  const std::uint64_t n = replications.size();
  const LatencyHistogram all = merged(replications);
  const double value = nanoseconds(all, fraction);
  if (n < 2) return Estimate::without_interval(value, n, Shortage::replications);
  if (too_small(all.count(), fraction)) {
    Estimate lacking = Estimate::without_interval(value, n, Shortage::observations);
    const std::uint64_t needed = n * sample_needed(fraction);
    if (all.count() > 0) lacking.n_needed = (needed + all.count() - 1) / all.count();
    return lacking;
  }
  std::vector<Cluster> beyond;
  beyond.reserve(n);
  for (const LatencyHistogram& replication : replications) {
    const std::uint64_t within = replication.count_up_to(all.percentile(fraction));
    beyond.push_back({replication.count() - within, replication.count()});
  }
  const Estimate share = clustered_rate(beyond, confidence);
  if (!share.interval) return Estimate::without_interval(value, n, Shortage::observations);
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
  Estimate estimate = each_is_large_enough(replications, fraction)
                          ? quantile_by_sections(replications, fraction, confidence)
                          : quantile_by_inversion(replications, fraction, confidence);
  if (estimate.interval) estimate.beyond = independent_beyond(replications, fraction);
  return estimate;
}

PairedDifference compare_quantiles(std::span<const LatencyHistogram> first,
                                   std::span<const LatencyHistogram> second, double fraction,
                                   double confidence) {
  PHOTON_CHECK(first.size() == second.size(), "every replication has its partner");
  const std::uint64_t n = first.size();
  const double value = nanoseconds(merged(first), fraction) - nanoseconds(merged(second), fraction);
  PairedDifference result;
  result.difference = Estimate::without_interval(value, n, Shortage::replications);
  if (n < 2) return result;
  const std::vector<double> left = quantiles_of(first, fraction);
  const std::vector<double> right = quantiles_of(second, fraction);
  const PairedDifference sections = compare_paired(left, right, confidence);
  result.correlation = sections.correlation;
  result.variance_ratio = sections.variance_ratio;
  if (!each_is_large_enough(first, fraction) || !each_is_large_enough(second, fraction)) {
    result.difference.shortage = Shortage::observations;
    return result;
  }
  const std::vector<double> without =
      differences(quantiles_without_one(first, fraction), quantiles_without_one(second, fraction));
  const Spread spread = spread_of(value, differences(left, right), without);
  const double half = student_factor(n, confidence) * spread.error;
  result.difference = Estimate::with_interval(
      value, {std::min(value, spread.centre) - half, std::max(value, spread.centre) + half}, n);
  result.difference.beyond =
      std::min(independent_beyond(first, fraction), independent_beyond(second, fraction));
  return result;
}

}  // namespace photon::analysis
