#include "campaigns/studies/estimates.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analysis/statistics/quantile_replications.h"
#include "analysis/statistics/quantiles.h"
#include "analysis/statistics/ratios.h"
#include "analysis/statistics/student.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

constexpr std::array<std::pair<std::string_view, double>, 5> kQuantiles{
    {{".p50", 0.5}, {".p90", 0.9}, {".p99", 0.99}, {".p999", 0.999}, {".p9999", 0.9999}}};

using Runs = std::span<const analysis::RunRecord* const>;

// A quantile of latencies, with the histogram of each run.
struct Quantile {
  double fraction = 0;
  std::vector<analysis::LatencyHistogram> histograms{};
};

// Nothing if the name is not that of a quantile, or a run has no histogram of its group:
// "latency_seconds" of "latency_seconds.p99".
std::optional<Quantile> quantile_of(Runs runs, std::string_view name) {
  for (const auto& [suffix, fraction] : kQuantiles) {
    if (!name.ends_with(suffix)) continue;
    const std::string_view group = name.substr(0, name.size() - suffix.size());
    Quantile quantile{fraction};
    for (const analysis::RunRecord* run : runs) {
      const auto found =
          std::ranges::find(run->histograms, group, &analysis::StoredHistogram::name);
      if (found == run->histograms.end()) return std::nullopt;
      quantile.histograms.push_back(found->histogram());
      if (quantile.histograms.back().count() == 0) return std::nullopt;
    }
    return quantile;
  }
  return std::nullopt;
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

// Nothing if a run lacks one of the counts.
std::optional<analysis::Estimate> loss_rate(Runs runs) {
  std::vector<analysis::Cluster> clusters;
  for (const analysis::RunRecord* run : runs) {
    const auto lost = run->metric("lost"), joinable = run->metric("joinable");
    if (!lost || !joinable) return std::nullopt;
    clusters.push_back({static_cast<std::uint64_t>(*lost), static_cast<std::uint64_t>(*joinable)});
  }
  return analysis::clustered_rate(clusters);
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

std::optional<std::vector<double>> replication_values(Runs runs, const std::string& metric) {
  const std::string name = stored_name(metric);
  std::vector<double> values;
  for (const analysis::RunRecord* run : runs) {
    const auto value = run->metric(name);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (const auto quantile = quantile_of(runs, name)) {
    values = analysis::pseudo_values(quantile->histograms, quantile->fraction);
    for (double& each : values) each /= 1e9;
  }
  return values;
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

std::optional<MetricEstimate> PointEstimates::of(const std::string& metric) const {
  if (used_.empty()) return std::nullopt;
  const std::string name = stored_name(metric);
  MetricEstimate result;
  std::vector<double> values;
  for (const analysis::RunRecord* run : used_) {
    const auto found = std::ranges::find(run->metrics, name, &analysis::Metric::name);
    if (found == run->metrics.end()) return std::nullopt;
    values.push_back(found->value);
    result.unit = found->unit;
  }
  result.estimate = analysis::mean_of_replications(std::span<const double>(values));
  result.negative = std::ranges::min(values) < 0;
  const bool none = std::ranges::all_of(values, [](double value) { return value == 0; });
  if (result.unit == analysis::Unit::count && none) {
    // An event that no replication had may be rare: its count is not surely zero.
    result.estimate.interval.reset();
    result.estimate.shortage = analysis::Shortage::clusters;
  }
  if (const auto quantile = quantile_of(used_, name)) {
    result.estimate =
        in_seconds(analysis::quantile_by_replications(quantile->histograms, quantile->fraction));
  }
  if (name == "loss_rate") {
    if (const auto rate = loss_rate(used_)) {
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
    const bool everywhere = std::ranges::all_of(used_, [&](const analysis::RunRecord* run) {
      return run->metric(metric.name).has_value();
    });
    if (everywhere) names.push_back(spoken_name(metric.name));
  }
  return names;
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

std::string PointEstimates::bound_by() const {
  for (const analysis::RunRecord* run : used_) {
    if (!run->bound_by.empty()) return run->bound_by;
  }
  return {};
}

}  // namespace photonsim::campaigns
