// Estimates from forced crashes, beside numbers worked out by hand and a process whose losses are
// known.
#include "analysis/rare_events/forced_crash.h"

#include <cmath>
#include <vector>

#include "analysis/rare_events/replications.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "tests/support/catch.h"

namespace photon::analysis {

TEST_CASE("rare events: forced crashes are weighted by their rate") {
  const std::vector<ForcedCrashRun> runs{{2, 3, 1e6}, {0, 1, 1e6}, {4, 4, 1e6}, {0, 0, 1e6}};
  const ForcedCrashEstimates found = forced_crash_estimates(runs, 0.2);
  CHECK(found.lost.value == 1.5);
  CHECK(found.window.value == 2);
  CHECK(found.any.value == 0.5);
  CHECK(found.share.value == Approx(0.2 * 1.5 / 1e6));
  CHECK(found.most == 4);
  CHECK(found.effective_sample == Approx(36.0 / 20));
  const std::vector<std::pair<std::uint64_t, double>> tail{{1, 0.5}, {2, 0.5}, {4, 0.25}};
  CHECK(found.tail == tail);
  // Twice the rate loses twice the share, as surely.
  const ForcedCrashEstimates twice = forced_crash_estimates(runs, 0.4);
  CHECK(twice.share.value == Approx(2 * found.share.value));
  REQUIRE((found.share.interval && twice.share.interval));
  CHECK(twice.share.interval->high == Approx(2 * found.share.interval->high));
}

TEST_CASE("rare events: no loss in any crash leaves the share without an interval") {
  const std::vector<ForcedCrashRun> runs(5, ForcedCrashRun{0, 0, 1e6});
  const ForcedCrashEstimates found = forced_crash_estimates(runs, 0.2);
  CHECK(found.share.value == 0);
  CHECK_FALSE(found.share.interval);
  CHECK(found.share.shortage == Shortage::no_event);
  CHECK(found.tail.empty());
}

TEST_CASE("rare events: the interval of a ratio ignores what its parts share") {
  // Losses are exactly a share of the clicks, which differ from run to run.
  std::vector<double> above, below;
  for (int i = 1; i <= 10; ++i) {
    below.push_back(i);
    above.push_back(0.01 * i);
  }
  const Estimate ratio = positive_ratio(above, below);
  CHECK(ratio.value == Approx(0.01));
  REQUIRE(ratio.interval);
  CHECK(ratio.interval->half_width() < 1e-9);
}

TEST_CASE("rare events: the interval of a positive mean stays above zero") {
  const std::vector<double> skewed{1e-7, 2e-7, 1e-7, 3e-7, 8e-6};
  const Estimate mean = positive_mean(skewed);
  REQUIRE(mean.interval);
  CHECK(mean.interval->low > 0);
  CHECK(mean.interval->contains(mean.value));
  CHECK_FALSE(positive_mean(std::vector<double>{1.0}).interval);
  CHECK(positive_mean(std::vector<double>{2, 2, 2}).shortage == Shortage::no_spread);
}

TEST_CASE("rare events: the interval of a probability ends at one") {
  const Estimate some = probability_mean(std::vector<double>{0.75, 1.0});
  CHECK(some.value == 0.875);
  REQUIRE(some.interval);
  CHECK(some.interval->high == 1);
  CHECK(some.interval->low < 0.75);
  // Of ten that say 1 each: one minus the tenth root of 0.05 may be missing.
  const Estimate all = probability_mean(std::vector<double>(10, 1.0));
  CHECK(all.value == 1);
  REQUIRE(all.interval);
  CHECK(all.interval->low == Approx(std::pow(0.05, 0.1)));
}

}  // namespace photon::analysis
