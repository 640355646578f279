#include "tests/scenarios/recount/recorded.h"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.h"

namespace photonsim::tests {

void check_latency(const std::string& name, const photon::analysis::LatencyFigures& reported,
                   std::vector<double> values) {
  CAPTURE(name);
  REQUIRE(reported.count == values.size());
  if (values.empty()) return;
  std::ranges::sort(values);
  double sum = 0;
  for (const double value : values) sum += value;
  CHECK(reported.mean == Approx(sum / static_cast<double>(values.size())).epsilon(1e-9));
  CHECK(reported.min == Approx(values.front()).margin(1e-9));
  CHECK(reported.max == Approx(values.back()).margin(1e-9));
  const auto at = [&](double fraction) {
    const double rank = std::ceil(fraction * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(rank) - 1];
  };
  constexpr double kBucket = 1.0 / 128;
  CHECK(reported.p50 == Approx(at(0.5)).epsilon(kBucket));
  CHECK(reported.p90 == Approx(at(0.9)).epsilon(kBucket));
  CHECK(reported.p99 == Approx(at(0.99)).epsilon(kBucket));
  CHECK(reported.p999 == Approx(at(0.999)).epsilon(kBucket));
  CHECK(reported.p9999 == Approx(at(0.9999)).epsilon(kBucket));
  // Ten values beyond a quantile, counted in whole values.
  CHECK(reported.rests_on_too_few(0.999) == (values.size() < 10'000));
  CHECK(reported.rests_on_too_few(0.99) == (values.size() < 1'000));
}

}  // namespace photonsim::tests
