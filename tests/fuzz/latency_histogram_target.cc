// The bytes of a histogram, as they stand in a result file.
#include <algorithm>
#include <cmath>

#include "analysis/statistics/latency_histogram.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {

Outcome latency_histogram(std::span<const std::byte> bytes) {
  auto histogram = analysis::LatencyHistogram::from_bytes(bytes);
  if (!histogram) return Outcome::refused;
  require(std::ranges::equal(histogram->to_bytes(), bytes), "a histogram has one encoding");
  for (const double fraction : {0.001, 0.5, 0.99, 1.0}) {
    const Duration value = histogram->percentile(fraction);
    require(value >= histogram->min() && value <= histogram->max(), "percentiles lie in between");
  }
  require(std::isfinite(histogram->mean_nanoseconds()), "a mean is a number");
  return Outcome::accepted;
}

}  // namespace photon::fuzz
