#include "analysis/accounting/latency_periods.h"

#include <algorithm>
#include <utility>

namespace photon::analysis {

PeriodsOfFault periods_of(SimTime from, std::optional<SimTime> until, Duration least) {
  const SimTime end = std::max(from, until.value_or(from));
  const Duration span = std::max(end - from, least);
  return {.before = {std::max(from - span, SimTime{}), from},
          .during = {from, end},
          .after = {end, end + span}};
}

LatenciesByTime::LatenciesByTime(JoinedLatencies latencies) : latencies_(std::move(latencies)) {
  std::ranges::sort(latencies_, {}, &JoinedLatency::generated_at);
}

LatenciesByTime::Histograms LatenciesByTime::in(const Period& period) const {
  const auto first =
      std::ranges::lower_bound(latencies_, period.from, {}, &JoinedLatency::generated_at);
  Histograms histograms;
  for (auto each = first; each != latencies_.end(); ++each) {
    if (each->generated_at() >= period.until) break;
    histograms.total.add(each->total);
    histograms.own.add(each->own);
  }
  return histograms;
}

}  // namespace photon::analysis
