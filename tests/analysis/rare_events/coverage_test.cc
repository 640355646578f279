// Nominal 95 % intervals of splitting and of forced crashes against known truth.
#include "tests/analysis/statistics/coverage.h"

#include <vector>

#include "analysis/rare_events/forced_crash.h"
#include "analysis/rare_events/replications.h"
#include "analysis/statistics/student.h"
#include "tests/analysis/rare_events/walk.h"

namespace photon::analysis {
namespace {

constexpr std::uint64_t kRepetitions = 2'000;

}  // namespace

TEST_CASE("coverage: splitting of a walk that rarely reaches its last level") {
  const Walk walk{.up = 0.3, .levels = {3, 5, 7, 9, 11, 13, 15, 17}};
  Coverage logarithmic, plain;
  for (std::uint64_t repetition = 0; repetition < kRepetitions; ++repetition) {
    std::vector<double> estimates;
    for (std::uint64_t i = 1; i <= 16; ++i) {
      estimates.push_back(walk.split_once(100, repetition * 16 + i).probability);
    }
    logarithmic.note(positive_mean(estimates), walk.truth());
    plain.note(mean_of_replications(estimates), walk.truth());
  }
  INFO("logarithmic " << logarithmic.share() << ", Student's " << plain.share());
  CHECK_COVERAGE(logarithmic);
  CHECK(plain.share() <= logarithmic.share());
}

// A crash finds a Poisson number of clicks (mean 2) in the window of a joiner that is up in nine of
// ten cases; the clicks of a day vary.
TEST_CASE("coverage: the share of clicks that crashes lose, from forced crashes") {
  constexpr double kMean = 2, kUp = 0.9, kClicks = 1e6, kCrashes = 0.4;
  Coverage coverage;
  for (std::uint64_t repetition = 0; repetition < 1'000; ++repetition) {
    std::vector<ForcedCrashRun> runs;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const RandomStream draws(repetition * 1'000 + i, Purpose::test, 0);
      const bool up = unit_interval(draws.word(0)) < kUp;
      const double lost = up ? poisson(draws.word(1), kMean) : 0;
      const double clicks = kClicks * (0.95 + 0.1 * unit_interval(draws.word(2)));
      runs.push_back({lost, lost, clicks});
    }
    coverage.note(forced_crash_estimates(runs, kCrashes).share, kCrashes * kUp * kMean / kClicks);
  }
  CHECK_COVERAGE(coverage);
}

}  // namespace photon::analysis
