#include "analysis/rare_events/forced_crash.h"

#include <algorithm>

#include "analysis/rare_events/replications.h"
#include "analysis/statistics/ratios.h"

namespace photon::analysis {
namespace {

// At 1, 2, 4, 8 and so on, up to the greatest.
std::vector<std::pair<std::uint64_t, double>> tail_of(const std::vector<double>& lost) {
  std::vector<std::pair<std::uint64_t, double>> tail;
  for (std::uint64_t k = 1;; k *= 2) {
    const auto count =
        std::ranges::count_if(lost, [=](double each) { return each >= static_cast<double>(k); });
    if (count == 0) return tail;
    tail.emplace_back(k, static_cast<double>(count) / static_cast<double>(lost.size()));
  }
}

}  // namespace

ForcedCrashEstimates forced_crash_estimates(std::span<const ForcedCrashRun> runs,
                                            double crashes_per_day, double confidence) {
  std::vector<double> lost, window, caused, clicks;
  std::vector<Cluster> any;
  for (const ForcedCrashRun& run : runs) {
    lost.push_back(run.lost);
    window.push_back(run.window);
    caused.push_back(run.lost * crashes_per_day);
    clicks.push_back(run.clicks_per_day);
    any.push_back({run.lost > 0 ? std::uint64_t{1} : 0, 1});
  }
  ForcedCrashEstimates estimates;
  if (runs.empty()) return estimates;
  estimates.lost = positive_mean(lost, confidence);
  estimates.window = positive_mean(window, confidence);
  estimates.any = clustered_rate(any, confidence);
  estimates.share = positive_ratio(caused, clicks, confidence);
  estimates.most = *std::ranges::max_element(lost);
  estimates.tail = tail_of(lost);
  estimates.effective_sample = effective_sample(lost);
  return estimates;
}

}  // namespace photon::analysis
