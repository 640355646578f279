// Splitting of a walk whose probabilities are known: unbiased at any effort, with what its stages
// report.
#include "analysis/rare_events/fixed_effort.h"

#include <cmath>

#include "analysis/statistics/moments.h"
#include "tests/analysis/rare_events/walk.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

double deviations(const Moments& moments, double truth) {
  const double error =
      moments.standard_deviation() / std::sqrt(static_cast<double>(moments.count()));
  return std::abs(moments.mean() - truth) / error;
}

}  // namespace

TEST_CASE("rare events: a splitting of the smallest efforts is unbiased") {
  // Few entrance states, and numbers of trials that they do not divide.
  for (const std::uint64_t effort : {2, 5, 7}) {
    const Walk walk{.up = 0.4, .levels = {2, 4, 6}};
    Moments estimates;
    for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
      estimates.add(walk.split_once(effort, seed).probability);
    }
    CAPTURE(effort, walk.truth(), estimates.mean());
    CHECK(deviations(estimates, walk.truth()) < 3.5);
  }
}

TEST_CASE("rare events: a splitting finds a probability of a millionth") {
  const Walk walk{.up = 0.3, .levels = {3, 5, 7, 9, 11, 13, 15, 17}};
  REQUIRE(walk.truth() < 1e-6);
  Moments estimates;
  std::uint64_t trials = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Splitting splitting = walk.split_once(100, seed);
    estimates.add(splitting.probability);
    trials += splitting.trials();
  }
  CAPTURE(walk.truth(), estimates.mean(), trials);
  CHECK(deviations(estimates, walk.truth()) < 3.5);
  // As many plain walks would leave the mean more uncertain by far.
  const double plain = walk.truth() / static_cast<double>(trials);
  CHECK(estimates.variance() / 200 * 100 < plain);
}

TEST_CASE("rare events: one level is brute force") {
  const Walk walk{.up = 0.3, .levels = {3}};
  const Splitting splitting = walk.split_once(5'000, 1);
  REQUIRE(splitting.stages.size() == 1);
  const SplittingStage& stage = splitting.stages.front();
  CHECK(stage.trials == 5'000);
  CHECK(stage.entrances == 5'000);
  CHECK(stage.ancestors == stage.reached);
  CHECK(splitting.probability == static_cast<double>(stage.reached) / 5'000);
}

TEST_CASE("rare events: a splitting ends at the level that no path reaches") {
  std::uint64_t calls = 0;
  const Splitting splitting = split<int>(
      {3, 4, 1}, [&](std::uint64_t) { return std::optional<int>(7); },
      [&](int, std::uint64_t, std::uint64_t) {
        ++calls;
        return std::optional<int>();
      });
  CHECK(splitting.probability == 0);
  CHECK(splitting.stages.size() == 2);
  CHECK(calls == 4);
}

TEST_CASE("rare events: states are dealt out evenly, and their ancestors are known") {
  // Of ten first paths numbers 0, 1 and 2 get through; then only branches of number 1.
  std::vector<int> used(3, 0);
  std::optional<int> top;
  const Splitting splitting = split<int>(
      {3, 10, 5},
      [](std::uint64_t trial) {
        return trial < 3 ? std::optional(static_cast<int>(trial)) : std::nullopt;
      },
      [&](int from, std::uint64_t stage, std::uint64_t) {
        if (stage == 1) ++used[static_cast<std::size_t>(from)];
        return from == 1 ? std::optional(from) : std::nullopt;
      },
      &top);
  for (const int count : used) CHECK((count == 3 || count == 4));
  REQUIRE(splitting.stages.size() == 3);
  CHECK(splitting.stages[1].entrances == 3);
  CHECK(splitting.stages[0].ancestors == 3);
  CHECK(splitting.stages[1].ancestors == 1);
  CHECK(top == 1);
}

}  // namespace photon::analysis
