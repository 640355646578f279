#include "analysis/statistics/ratios.h"

#include <cmath>

#include "analysis/statistics/critical_values.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

struct Totals {
  std::uint64_t clusters = 0;  // with trials
  std::uint64_t events = 0;
  std::uint64_t trials = 0;
  std::uint64_t with_event = 0;    // clusters with at least one event
  std::uint64_t with_absence = 0;  // clusters with at least one trial without it

  double rate() const { return static_cast<double>(events) / static_cast<double>(trials); }
};

Totals totals_of(std::span<const Cluster> clusters) {
  Totals totals;
  for (const Cluster& cluster : clusters) {
    PHOTON_CHECK(cluster.events <= cluster.trials, "every event of a cluster is one of its trials");
    if (cluster.trials == 0) continue;
    ++totals.clusters;
    totals.events += cluster.events;
    totals.trials += cluster.trials;
    totals.with_event += cluster.events > 0 ? 1 : 0;
    totals.with_absence += cluster.events < cluster.trials ? 1 : 0;
  }
  return totals;
}

double standard_error(std::span<const Cluster> clusters, const Totals& totals) {
  double squares = 0;
  for (const Cluster& cluster : clusters) {
    const double residual =
        static_cast<double>(cluster.events) - totals.rate() * static_cast<double>(cluster.trials);
    squares += residual * residual;
  }
  const auto k = static_cast<double>(totals.clusters);
  return std::sqrt(k / (k - 1) * squares) / static_cast<double>(totals.trials);
}

}  // namespace

double log_odds(double probability) { return std::log(probability) - std::log1p(-probability); }

double from_log_odds(double odds) { return 1 / (1 + std::exp(-odds)); }

double rule_of_three(std::uint64_t clusters, double confidence) {
  PHOTON_CHECK(clusters > 0, "the rule of three needs a cluster");
  return -std::expm1(std::log1p(-confidence) / static_cast<double>(clusters));
}

Estimate clustered_rate(std::span<const Cluster> clusters, double confidence) {
  const Totals totals = totals_of(clusters);
  const std::uint64_t k = totals.clusters;
  if (k == 0) return Estimate::without_interval(0, 0, Shortage::replications);
  if (totals.events == 0) return Estimate::with_interval(0, {0, rule_of_three(k, confidence)}, k);
  if (totals.events == totals.trials) {
    return Estimate::with_interval(1, {1 - rule_of_three(k, confidence), 1}, k);
  }
  const double rate = totals.rate();
  if (k < 2) return Estimate::without_interval(rate, k, Shortage::replications);
  if (totals.with_event < kClustersWithEventMin || totals.with_absence < kClustersWithEventMin) {
    return Estimate::without_interval(rate, k, Shortage::clusters);
  }
  // The derivative of the log odds is 1 / (p (1 - p)).
  const double half =
      student_factor(k, confidence) * standard_error(clusters, totals) / (rate * (1 - rate));
  const double centre = log_odds(rate);
  return Estimate::with_interval(rate, {from_log_odds(centre - half), from_log_odds(centre + half)},
                                 k);
}

}  // namespace photon::analysis
