#include "campaigns/studies/rare_estimates.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/rare_events/replications.h"
#include "analysis/statistics/moments.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

namespace {

constexpr double kSecondsPerDay = 86400;

double value_of(const analysis::RunRecord& run, std::string_view name) {
  return run.metric(name).value_or(0);
}

// Where no crash lost a click: as many crashes as may lose one nevertheless (rule of three), each
// of them all that it can.
analysis::Estimate bounded(const analysis::ForcedCrashEstimates& found, double most_share) {
  if (found.share.shortage != analysis::Shortage::no_event || !found.any.interval) {
    return found.share;
  }
  const analysis::Interval within{0, found.any.interval->high * most_share};
  return analysis::Estimate::with_interval(0, within, found.share.n);
}

}  // namespace

CrashReport crash_report(Runs runs, const scenarios::Config& config, const RareQuestion& question) {
  CrashReport report;
  report.joiners = config.joiner.count * config.topology.pipelines.size();
  report.cap = config.joiner.max_window > 0 ? config.joiner.max_window
                                            : config.joiner.max_outstanding_registry;
  std::vector<analysis::ForcedCrashRun> list, at_end;
  analysis::Moments window, clicks;
  for (const analysis::RunRecord* run : runs) {
    const double clicking = value_of(*run, "rare.click_seconds");
    const double per_day =
        clicking > 0 ? value_of(*run, "joinable") / clicking * kSecondsPerDay : 0;
    list.push_back({value_of(*run, "rare.lost"), value_of(*run, "rare.window"), per_day});
    at_end.push_back({value_of(*run, "rare.lost_at_end"), list.back().window, per_day});
    report.found_clicks += value_of(*run, "rare.crashes") > 0 ? 1 : 0;
    window.add(list.back().window);
    clicks.add(per_day);
  }
  report.runs = list.size();
  if (list.empty() || clicks.mean() <= 0) return report;
  const double crashes = question.crashes_per_day * static_cast<double>(report.joiners);
  report.estimates = analysis::forced_crash_estimates(list, crashes);
  // No crash loses more than the cap.
  if (auto& lost = report.estimates.lost.interval) {
    lost->high = std::max(std::min(lost->high, static_cast<double>(report.cap)), lost->low);
  }
  const double most_share = crashes * static_cast<double>(report.cap) / clicks.mean();
  report.estimates.share = bounded(report.estimates, most_share);
  report.share_at_end = bounded(analysis::forced_crash_estimates(at_end, crashes), most_share);
  // What stays lost is a part of what is lost.
  if (report.share_at_end.interval && report.estimates.share.interval) {
    analysis::Interval& within = *report.share_at_end.interval;
    within.high =
        std::max(std::min(within.high, report.estimates.share.interval->high), within.low);
  }
  report.theory_share = crashes * window.mean() / clicks.mean();
  return report;
}

SplittingReport splitting_report(Runs runs, const scenarios::Config& config) {
  SplittingReport report;
  std::vector<double> probabilities;
  std::vector<std::uint64_t> ancestors;
  for (const scenarios::RareLevel& each : config.rare.levels) report.levels.push_back({each.at});
  for (const analysis::RunRecord* run : runs) {
    probabilities.push_back(value_of(*run, "rare.probability"));
    report.events += run->events;
    report.died_out += probabilities.back() > 0 ? 0 : 1;
    ancestors.push_back(static_cast<std::uint64_t>(value_of(*run, "rare.ancestors")));
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      const auto reached = run->metric(fmt::format("rare.reached.{}", i + 1));
      if (!reached) break;
      report.levels[i].trials += config.rare.effort;
      report.levels[i].reached += static_cast<std::uint64_t>(*reached);
    }
  }
  if (!ancestors.empty()) {
    const auto [least, most] = std::ranges::minmax(ancestors);
    report.least_ancestors = least;
    report.most_ancestors = most;
  }
  report.probability = analysis::probability_mean(probabilities);
  analysis::Moments moments;
  for (const double each : probabilities) moments.add(each);
  const double p = moments.mean();
  if (moments.count() >= 2 && moments.variance() > 0) {
    report.runs_needed = p * (1 - p) / moments.variance() * static_cast<double>(moments.count());
  }
  return report;
}

}  // namespace photonsim::campaigns
