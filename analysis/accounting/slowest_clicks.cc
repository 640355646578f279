#include "analysis/accounting/slowest_clicks.h"

#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {
namespace {

void add_to(SlowestClicks::Sums& sums, const SlowestClicks::Sums& more) {
  sums.clicks += more.clicks;
  for (std::size_t i = 0; i < SlowestClicks::kStages; ++i) {
    sums.nanoseconds[i] += more.nanoseconds[i];
  }
}

}  // namespace

void SlowestClicks::add(Duration total, const std::array<Duration, kStages>& stages) {
  Sums one;
  one.clicks = 1;
  for (std::size_t i = 0; i < kStages; ++i) {
    one.nanoseconds[i] = static_cast<double>(stages[i].count());
  }
  add_to(buckets_[LatencyHistogram::bucket_start(total)], one);
}

SlowestClicks::Sums SlowestClicks::from(Duration latency) const {
  Sums sums;
  sums.least = LatencyHistogram::bucket_start(latency);
  for (auto at = buckets_.lower_bound(sums.least); at != buckets_.end(); ++at) {
    add_to(sums, at->second);
  }
  return sums;
}

}  // namespace photon::analysis
