#include "campaigns/studies/estimates.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/rare_events/replications.h"
#include "analysis/results/series_metrics.h"
#include "analysis/statistics/quantile_replications.h"
#include "analysis/statistics/quantiles.h"
#include "analysis/statistics/ratios.h"
#include "analysis/statistics/student.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/share_above.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// A quantile of latencies, with the histogram of each run.
struct Quantile {
  double fraction = 0;
  std::vector<analysis::LatencyHistogram> histograms{};
};

// Nothing if the name is not that of a quantile, or a run has no histogram of its group:
// "latency_seconds" of "latency_seconds.p99".
std::optional<Quantile> quantile_of(Runs runs, std::string_view name) {
  const auto named = quantile_named(name);
  if (!named) return std::nullopt;
  Quantile quantile{named->fraction};
  for (const analysis::RunRecord* run : runs) {
    const auto found =
        std::ranges::find(run->histograms, named->group, &analysis::StoredHistogram::name);
    if (found == run->histograms.end()) return std::nullopt;
    quantile.histograms.push_back(found->histogram());
    if (quantile.histograms.back().count() == 0) return std::nullopt;
  }
  return quantile;
}

analysis::Estimate in_seconds(analysis::Estimate nanoseconds) {
  constexpr double kSecond = 1e9;
  nanoseconds.value /= kSecond;
  if (nanoseconds.interval) {
    nanoseconds.interval->low /= kSecond;
    nanoseconds.interval->high /= kSecond;
  }
  return nanoseconds;
}

// Nothing if a run lacks the figure.
std::optional<std::vector<double>> values_of(Runs runs, const std::string& name) {
  std::vector<double> values;
  for (const analysis::RunRecord* run : runs) {
    const auto value = metric_of(*run, name);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

// Of the loss rate, or of a share above a bound. Nothing if the run lacks it.
std::optional<analysis::Cluster> cluster_of(const analysis::RunRecord& run,
                                            const std::string& name) {
  if (const auto share = count_above(run, name)) {
    return analysis::Cluster{share->above, share->count};
  }
  const auto lost = run.metric("lost"), joinable = run.metric("joinable");
  if (name != "loss_rate" || !lost || !joinable) return std::nullopt;
  return analysis::Cluster{static_cast<std::uint64_t>(*lost),
                           static_cast<std::uint64_t>(*joinable)};
}

// Nothing if a run lacks it.
std::optional<analysis::Estimate> rate_of(Runs runs, const std::string& name, double confidence) {
  std::vector<analysis::Cluster> clusters;
  for (const analysis::RunRecord* run : runs) {
    const auto cluster = cluster_of(*run, name);
    if (!cluster) return std::nullopt;
    clusters.push_back(*cluster);
  }
  return analysis::clustered_rate(clusters, confidence);
}

analysis::Estimate mean_over(std::span<const double> values, Estimator estimator,
                             double confidence) {
  switch (estimator) {
    case Estimator::mean:
      break;
    case Estimator::positive_mean:
      return analysis::positive_mean(values, confidence);
    case Estimator::probability:
      return analysis::probability_mean(values, confidence);
  }
  return analysis::mean_of_replications(values, confidence);
}

// A splitting measures a probability: its paths end early, so whether they keep up is not known.
bool is_splitting(const analysis::RunRecord& run) {
  return run.metric("rare.probability").has_value();
}

// Liveness of a run that cannot keep up is not judged: its backlog is its verdict.
bool counts(const analysis::RunRecord& run) {
  const bool overloaded = run.metric("capacity.stationary").value_or(1) == 0;
  return run.end == analysis::RunEnd::complete &&
         (run.exit_code == kOk || (overloaded && run.exit_code == kLivenessViolation));
}

}  // namespace

analysis::Estimate MetricEstimate::shown() const {
  analysis::Estimate clipped = estimate;
  if (clipped.interval && !negative) clipped.interval->low = std::max(clipped.interval->low, 0.0);
  return clipped;
}

bool MetricEstimate::is_too_correlated() const {
  return estimate.interval && estimate.beyond && *estimate.beyond < analysis::kBeyondQuantileMin;
}

std::optional<analysis::PairedDifference> difference_of(Runs first, Runs second,
                                                        const std::string& metric,
                                                        double confidence) {
  const std::string name = stored_name(metric);
  const auto left = values_of(first, name), right = values_of(second, name);
  if (first.empty() || !left || !right) return std::nullopt;
  const auto left_quantile = quantile_of(first, name), right_quantile = quantile_of(second, name);
  if (left_quantile && right_quantile) {
    auto paired = analysis::compare_quantiles(left_quantile->histograms, right_quantile->histograms,
                                              left_quantile->fraction, confidence);
    paired.difference = in_seconds(paired.difference);
    return paired;
  }
  auto paired = analysis::compare_paired(*left, *right, confidence);
  const auto zero = [](double value) { return value == 0; };
  if (counts_events(name) && std::ranges::all_of(*left, zero) &&
      std::ranges::all_of(*right, zero)) {
    paired.difference =
        analysis::Estimate::without_interval(0, left->size(), analysis::Shortage::no_event);
  }
  return paired;
}

bool have_same(const analysis::RunRecord& one, const analysis::RunRecord& other,
               const std::string& metric) {
  if (metric_of(one, metric) != metric_of(other, metric)) return false;
  const std::array<const analysis::RunRecord*, 1> left{&one}, right{&other};
  const auto mine = quantile_of(left, stored_name(metric));
  const auto theirs = quantile_of(right, stored_name(metric));
  return !mine || !theirs || mine->histograms == theirs->histograms;
}

PointEstimates::PointEstimates(std::span<const std::optional<analysis::RunRecord>> replications) {
  for (const auto& run : replications) {
    if (!run) continue;
    if (counts(*run)) {
      used_.push_back(&*run);
    } else {
      ++failed_;
      worst_ = worse_of(worst_, run->exit_code);
    }
  }
}

std::optional<MetricEstimate> PointEstimates::of(const std::string& metric,
                                                 double confidence) const {
  if (used_.empty()) return std::nullopt;
  const std::string name = stored_name(metric);
  const auto values = values_of(used_, name);
  if (!values) return std::nullopt;
  MetricEstimate result;
  const auto& metrics = used_.front()->metrics;
  const auto stored = std::ranges::find(metrics, name, &analysis::Metric::name);
  result.unit = stored == metrics.end() ? analysis::Unit::ratio : stored->unit;
  result.estimate = mean_over(*values, estimator_of(name), confidence);
  result.negative = std::ranges::min(*values) < 0;
  const bool none = std::ranges::all_of(*values, [](double value) { return value == 0; });
  if (result.unit == analysis::Unit::count && none && values->size() > 1) {
    result.estimate =
        analysis::Estimate::without_interval(0, values->size(), analysis::Shortage::no_event);
  }
  if (const auto quantile = quantile_of(used_, name)) {
    result.estimate = in_seconds(
        analysis::quantile_by_replications(quantile->histograms, quantile->fraction, confidence));
  }
  if (is_rate(name)) {
    if (const auto rate = rate_of(used_, name, confidence)) {
      result.estimate = *rate;
      result.rate = true;
    }
  }
  return result;
}

std::vector<std::string> PointEstimates::names() const {
  std::vector<std::string> names;
  if (used_.empty()) return names;
  for (const analysis::Metric& metric : used_.front()->metrics) {
    if (analysis::is_of_series(metric.name)) continue;
    const bool everywhere = std::ranges::all_of(used_, [&](const analysis::RunRecord* run) {
      return run->metric(metric.name).has_value();
    });
    if (everywhere) names.push_back(spoken_name(metric.name));
  }
  return names;
}

SeedPairs paired_by_seed(const PointEstimates& first, const PointEstimates& second) {
  std::map<std::uint64_t, const analysis::RunRecord*> others;
  for (const analysis::RunRecord* run : second.used()) others.emplace(run->seed, run);
  std::map<std::uint64_t, const analysis::RunRecord*> mine;
  for (const analysis::RunRecord* run : first.used()) mine.emplace(run->seed, run);
  SeedPairs pairs;
  for (const auto& [seed, run] : mine) {
    const auto other = others.find(seed);
    if (other == others.end()) continue;
    pairs.first.push_back(run);
    pairs.second.push_back(other->second);
  }
  return pairs;
}

std::optional<bool> PointEstimates::stationary() const {
  bool known = !used_.empty();
  for (const analysis::RunRecord* run : used_) {
    const auto stationary = run->metric("capacity.stationary");
    if (stationary && *stationary == 0) return false;
    known = known && stationary.has_value();
  }
  return known ? std::optional(true) : std::nullopt;
}

bool PointEstimates::perhaps_growing() const {
  return std::ranges::any_of(used_, [](const analysis::RunRecord* run) {
    return run->metric("capacity.growing").value_or(0) > 0 && !run->metric("capacity.stationary");
  });
}

bool PointEstimates::is_doubtful() const {
  return std::ranges::any_of(used_, [](const analysis::RunRecord* run) {
    return !run->metric("capacity.stationary") && !is_splitting(*run);
  });
}

// A backlog that grows while every limit has room is that of a fault.
bool PointEstimates::decides_latencies() const {
  return std::ranges::all_of(used_, [](const analysis::RunRecord* run) {
    if (const auto stationary = run->metric("capacity.stationary")) return *stationary > 0;
    if (is_splitting(*run)) return true;
    return run->metric("capacity.growing").value_or(0) > 0 &&
           run->metric("capacity.closest_saturation").value_or(1) < analysis::kPerhapsSaturated;
  });
}

std::string PointEstimates::bound_by() const {
  std::string perhaps;
  for (const analysis::RunRecord* run : used_) {
    if (run->bound_by.empty()) continue;
    if (run->metric("capacity.stationary") == 0.0) return run->bound_by;
    if (perhaps.empty()) perhaps = run->bound_by;
  }
  return perhaps;
}

}  // namespace photonsim::campaigns
