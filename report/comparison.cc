#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/results/series_metrics.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
using analysis::Estimate;
using analysis::Interval;

// Of independent samples: the distance of each bound to its estimate, in squares, so that intervals
// that are not symmetric stay so (Zou and Donner, Statistics in Medicine 27, 2008: MOVER).
Estimate independent(const Estimate& after, const Estimate& before) {
  const double change = after.value - before.value;
  const std::uint64_t n = std::min(after.n, before.n);
  if (!after.interval || !before.interval) {
    return Estimate::without_interval(change, n, after.interval ? before.shortage : after.shortage);
  }
  const double less =
      std::hypot(after.value - after.interval->low, before.interval->high - before.value);
  const double more =
      std::hypot(after.interval->high - after.value, before.value - before.interval->low);
  return Estimate::with_interval(change, {change - less, change + more}, n);
}

// `best`: what a figure in the accepted range amounts to.
ChangeVerdict verdict_of(const FigureChange& change, const ChangeGate& gate, ChangeVerdict best) {
  const double accepted = gate.relative ? gate.accepted * std::abs(change.before) : gate.accepted;
  const double sign = gate.more ? 1 : -1;
  if (!change.change.interval) {
    // Of pairs that agree to the last bit nothing more can be known.
    return change.paired && change.change.value == 0 ? ChangeVerdict::holds
                                                     : ChangeVerdict::undecided;
  }
  const Interval& interval = *change.change.interval;
  const auto [least, most] = std::minmax({sign * interval.low, sign * interval.high});
  if (most <= accepted) return best;
  return least > accepted ? ChangeVerdict::fails : ChangeVerdict::undecided;
}

// One point before and after.
class PointComparer {
 public:
  PointComparer(const ReportPoint& before, const ReportPoint& after, double confidence)
      : before_(before),
        after_(after),
        confidence_(confidence),
        estimates_before_(before.records),
        estimates_after_(after.records),
        pairs_(campaigns::paired_by_seed(estimates_after_, estimates_before_)) {}

  PointChange compare(std::span<const ChangeGate> gates) const {
    PointChange point{.before = before_.label,
                      .after = after_.label,
                      .runs_before = before_.runs.size(),
                      .runs_after = after_.runs.size(),
                      .failed_before = estimates_before_.failed(),
                      .failed_after = estimates_after_.failed(),
                      .stationary_before = stationary(before_, estimates_before_),
                      .stationary_after = stationary(after_, estimates_after_)};
    // Of all runs, failed ones too.
    std::map<std::uint64_t, const analysis::RunRecord*> others;
    for (const auto& run : before_.records) others.emplace(run->seed, &*run);
    for (const auto& run : after_.records) {
      const auto other = others.find(run->seed);
      if (other == others.end()) continue;
      ++point.pairs;
      const bool same = !run->fingerprint.empty() &&
                        run->fingerprint == other->second->fingerprint &&
                        run->exit_code == other->second->exit_code;
      point.identical += same ? 1 : 0;
    }
    for (const std::string& metric : compared_metrics(gates)) {
      const auto gate = std::ranges::find(gates, metric, &ChangeGate::metric);
      auto change = change_of(metric, gate != gates.end());
      if (!change) continue;
      // A metric may have a gate on each side.
      for (const ChangeGate& each : gates) {
        if (each.metric != metric) continue;
        const ChangeVerdict verdict = verdict_of(*change, each, best_of(change->unit));
        change->gate += (change->gate.empty() ? "" : "; ") + each.text;
        change->verdict = std::max(change->verdict, verdict);
      }
      point.figures.push_back(*std::move(change));
    }
    for (const ChangeGate& each : gates) add_unmeasured(each, point);
    return point;
  }

  const std::vector<const analysis::RunRecord*>& before_runs() const { return pairs_.second; }
  const std::vector<const analysis::RunRecord*>& after_runs() const { return pairs_.first; }

 private:
  static std::optional<bool> stationary(const ReportPoint& point,
                                        const campaigns::PointEstimates& estimates) {
    return point.is_swarm() ? std::nullopt : estimates.stationary();
  }

  // Latencies of a side that does not keep up depend on the length of its runs.
  ChangeVerdict best_of(analysis::Unit unit) const {
    const auto decides = [](const ReportPoint& point, const campaigns::PointEstimates& estimates) {
      return point.is_swarm() || estimates.decides_latencies();
    };
    if (unit != analysis::Unit::seconds) return ChangeVerdict::holds;
    if (stationary(before_, estimates_before_) != false &&
        stationary(after_, estimates_after_) == false) {
      return ChangeVerdict::not_stationary;
    }
    return decides(before_, estimates_before_) && decides(after_, estimates_after_)
               ? ChangeVerdict::holds
               : ChangeVerdict::undecided;
  }

  // Those of intervals only where a gate names them.
  std::vector<std::string> compared_metrics(std::span<const ChangeGate> gates) const {
    std::vector<std::string> names = estimates_after_.names();
    for (const ChangeGate& each : gates) {
      const bool known = std::ranges::find(names, each.metric) != names.end();
      if (!known && analysis::is_of_series(each.metric)) names.push_back(each.metric);
    }
    return names;
  }

  // A gate on a figure that a side lacks, or of which no run counts, is not passed over.
  static void add_unmeasured(const ChangeGate& gate, PointChange& point) {
    if (std::ranges::find(point.figures, gate.metric, &FigureChange::metric) !=
        point.figures.end()) {
      return;
    }
    FigureChange change{.metric = gate.metric, .gate = gate.text};
    change.change = Estimate::without_interval(0, 0, analysis::Shortage::replications);
    change.verdict = ChangeVerdict::not_measured;
    point.figures.push_back(std::move(change));
  }

  std::optional<FigureChange> change_of(const std::string& metric, bool gated) const {
    const auto before = estimates_before_.of(metric, confidence_);
    const auto after = estimates_after_.of(metric, confidence_);
    if (!before || !after) return std::nullopt;
    const bool zero = before->estimate.value == 0 && after->estimate.value == 0;
    if (zero && !gated) return std::nullopt;
    FigureChange change{metric, after->unit, before->estimate.value, after->estimate.value};
    if (const auto paired =
            campaigns::difference_of(pairs_.first, pairs_.second, metric, confidence_)) {
      change.change = paired->difference;
      change.paired = pairs_.first.size() == estimates_after_.replications() &&
                      pairs_.first.size() == estimates_before_.replications();
    } else {
      change.change = independent(after->estimate, before->estimate);
    }
    return change;
  }

  const ReportPoint& before_;
  const ReportPoint& after_;
  double confidence_;
  campaigns::PointEstimates estimates_before_;
  campaigns::PointEstimates estimates_after_;
  campaigns::SeedPairs pairs_;  // first: after
};

std::vector<std::pair<const ReportPoint*, const ReportPoint*>> partners(const ReportPoints& before,
                                                                        const ReportPoints& after,
                                                                        Comparison& comparison) {
  std::vector<std::pair<const ReportPoint*, const ReportPoint*>> list;
  if (before.list.size() == 1 && after.list.size() == 1) {
    list.emplace_back(&before.list.front(), &after.list.front());
    return list;
  }
  for (const ReportPoint& point : before.list) {
    const auto other = std::ranges::find(after.list, point.label, &ReportPoint::label);
    if (other == after.list.end()) {
      comparison.only_before.push_back(point.label);
    } else {
      list.emplace_back(&point, &*other);
    }
  }
  for (const ReportPoint& point : after.list) {
    const auto other = std::ranges::find(before.list, point.label, &ReportPoint::label);
    if (other == before.list.end()) comparison.only_after.push_back(point.label);
  }
  return list;
}

}  // namespace

std::string_view text_of(ChangeVerdict verdict) {
  switch (verdict) {
    case ChangeVerdict::ungated:
      return "";
    case ChangeVerdict::holds:
      return "holds";
    case ChangeVerdict::undecided:
      return "undecided";
    case ChangeVerdict::fails:
      return "FAILS";
    case ChangeVerdict::not_stationary:
      return "NOT STATIONARY";
    case ChangeVerdict::not_measured:
      return "NOT MEASURED";
  }
  return "";
}

bool FigureChange::is_clear() const {
  return change.interval && (change.interval->low > 0 || change.interval->high < 0);
}

bool Comparison::is_identical() const {
  return !points.empty() && only_before.empty() && only_after.empty() &&
         std::ranges::all_of(points, [](const PointChange& point) {
           return point.identical == point.runs_before && point.identical == point.runs_after;
         });
}

bool Comparison::fails() const {
  return std::ranges::any_of(points, [](const PointChange& point) {
    const auto fails = [](const FigureChange& each) {
      return each.verdict >= ChangeVerdict::fails;
    };
    // The share of runs that fail, where the numbers of runs differ.
    const bool more_fail =
        point.failed_after * point.runs_before > point.failed_before * point.runs_after;
    return more_fail || std::ranges::any_of(point.figures, fails);
  });
}

Comparison compare(const ReportPoints& before, const ReportPoints& after,
                   std::span<const ChangeGate> gates) {
  Comparison comparison;
  const auto pairs = partners(before, after, comparison);
  const auto tests = static_cast<double>(std::max<std::size_t>(1, gates.size() * pairs.size()));
  comparison.confidence = 1 - (1 - analysis::kConfidence) / tests;
  double cpu_before = 0, cpu_after = 0;
  for (const auto& [first, second] : pairs) {
    const PointComparer comparer(*first, *second, comparison.confidence);
    comparison.points.push_back(comparer.compare(gates));
    for (const auto* run : comparer.before_runs()) {
      cpu_before += static_cast<double>(run->cpu_microseconds);
    }
    for (const auto* run : comparer.after_runs()) {
      cpu_after += static_cast<double>(run->cpu_microseconds);
    }
  }
  if (cpu_before > 0) comparison.cpu_ratio = cpu_after / cpu_before;
  return comparison;
}

}  // namespace photonsim::report
